// What makes the patterns answer to a click, and no more: state goes from attribute to attribute.
addEventListener('click', (event) => {
  const target = event.target.closest('[aria-expanded], [aria-pressed], [aria-checked], [role=tab], [role=option]');
  if (!target || target.getAttribute('aria-disabled') === 'true' || target.disabled) return;
  const flip = (name) => target.setAttribute(name, String(target.getAttribute(name) !== 'true'));
  const only = (name, role) => {
    for (const one of target.parentElement.closest('[role]').querySelectorAll(`[role=${role}]`)) {
      one.setAttribute(name, String(one === target));
    }
  };
  const controlled = document.getElementById(target.getAttribute('aria-controls'));
  switch (target.getAttribute('role')) {
    case 'tab':
      only('aria-selected', 'tab');
      for (const tab of document.querySelectorAll('[role=tab]')) {
        document.getElementById(tab.getAttribute('aria-controls')).hidden = tab !== target;
      }
      return;
    case 'option':
      if (target.closest('[aria-multiselectable=true]')) flip('aria-selected');
      else only('aria-selected', 'option');
      return;
    case 'radio': case 'menuitemradio':
      only('aria-checked', target.getAttribute('role'));
      return;
  }
  if (target.hasAttribute('aria-checked')) flip('aria-checked');
  if (target.hasAttribute('aria-pressed')) flip('aria-pressed');
  if (target.hasAttribute('aria-expanded')) {
    flip('aria-expanded');
    if (controlled) controlled.hidden = target.getAttribute('aria-expanded') !== 'true';
  }
});

//! What can be dragged. `document.title` says what the page made of it.

/// The page with a name.
pub(super) fn body(name: &str) -> Option<&'static str> {
    Some(match name {
        "drop" => {
            "<div id=from draggable=true style='width: 120px; height: 40px; background: silver'>Parcel</div>
             <div id=to style='margin: 120px; width: 200px; height: 80px; border: 1px solid'>Door</div><script>
             const from = document.getElementById('from'), to = document.getElementById('to');
             from.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', 'parcel'));
             to.addEventListener('dragover', (e) => e.preventDefault());
             to.addEventListener('drop', (e) => { e.preventDefault(); document.title = `got ${e.dataTransfer.getData('text/plain')}`; })</script>"
        }
        "pointer" => {
            "<div id=from style='position: absolute; left: 20px; top: 20px; width: 60px; height: 60px; background: silver; touch-action: none'></div>
             <div id=to style='position: absolute; left: 300px; top: 200px; width: 100px; height: 100px; border: 1px solid'></div><script>
             const from = document.getElementById('from'); let moves = 0;
             from.addEventListener('pointerdown', (e) => { from.setPointerCapture(e.pointerId); moves = 0; });
             from.addEventListener('pointermove', (e) => { if (!e.buttons) return; moves += 1;
               from.style.left = `${e.clientX - 30}px`; from.style.top = `${e.clientY - 30}px`; });
             from.addEventListener('pointerup', (e) => { const to = document.getElementById('to').getBoundingClientRect();
               const in_ = e.clientX > to.left && e.clientX < to.right && e.clientY > to.top && e.clientY < to.bottom;
               document.title = `${in_ ? 'inside' : 'outside'} after ${moves > 2 ? 'several' : 'few'} moves`; })</script>"
        }
        "range" => "<input id=from type=range min=0 max=100 value=0 style='width: 400px' oninput='document.title = this.value'>",
        "canvas" => {
            "<canvas id=from width=300 height=200 style='border: 1px solid'></canvas><script>const c = document.getElementById('from'), x = c.getContext('2d', { willReadFrequently: true });
             let last = null, points = 0; c.addEventListener('mousedown', (e) => { last = [e.offsetX, e.offsetY]; });
             c.addEventListener('mousemove', (e) => { if (!last) return; x.beginPath(); x.moveTo(...last); last = [e.offsetX, e.offsetY]; x.lineTo(...last);
               x.stroke(); points += 1; });
             c.addEventListener('mouseup', () => { last = null; const data = x.getImageData(0, 0, 300, 200).data; let inked = 0;
               for (let at = 3; at < data.length; at += 4) if (data[at] > 0) inked += 1; document.title = `inked ${inked > 60} points ${points > 3}`; })</script>"
        }
        "sortable" => {
            "<ul id=list><li id=a>A</li><li id=b>B</li><li id=c>C</li><li id=d>D</li></ul><script src='/npm/sortablejs/Sortable.min.js'></script>
             <script>new Sortable(document.getElementById('list'), { onEnd: () => {
               document.title = [...document.querySelectorAll('#list > li')].map((one) => one.id).join(''); } })</script>"
        }
        "sortable-fallback" => {
            "<ul id=list><li id=a>A</li><li id=b>B</li><li id=c>C</li><li id=d>D</li></ul><script src='/npm/sortablejs/Sortable.min.js'></script>
             <script>new Sortable(document.getElementById('list'), { forceFallback: true, onEnd: () => {
               document.title = [...document.querySelectorAll('#list > li')].map((one) => one.id).join(''); } })</script>"
        }
        "jquery-ui" => {
            "<script src='/npm/jquery/dist/jquery.min.js'></script><script src='/npm/jquery-ui/dist/jquery-ui.min.js'></script>
             <div id=from style='width: 80px; height: 40px; background: silver'>Drag</div>
             <div id=to style='margin: 150px; width: 150px; height: 100px; border: 1px solid'>Drop</div>
             <script>$('#from').draggable(); $('#to').droppable({ drop: () => { document.title = 'dropped'; } })</script>"
        }
        _ => return None,
    })
}

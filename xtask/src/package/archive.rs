//! Archives whose bytes depend on their files alone: names sorted, times fixed, no owner.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// One file.
pub(crate) struct Entry {
    bytes: Vec<u8>,
    mode: u32,
}

impl Entry {
    /// A file to read.
    pub(crate) fn data(bytes: Vec<u8>) -> Self {
        Self { bytes, mode: 0o644 }
    }

    /// A file to run.
    pub(crate) fn program(bytes: Vec<u8>) -> Self {
        Self { bytes, mode: 0o755 }
    }
}

/// What an archive holds, by path.
#[derive(Default)]
pub(crate) struct Files(BTreeMap<PathBuf, Entry>);

impl Files {
    /// Adds a file.
    pub(crate) fn add(&mut self, path: PathBuf, entry: Entry) {
        self.0.insert(path, entry);
    }

    /// As zip; the time of every file is the format's first, 1980-01-01.
    pub(crate) fn zip(&self) -> Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, entry) in &self.0 {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(9))
                .last_modified_time(zip::DateTime::default())
                .unix_permissions(entry.mode);
            zip.start_file(name(path)?, options)?;
            zip.write_all(&entry.bytes)?;
        }
        Ok(zip.finish()?.into_inner())
    }

    /// As tar, compressed with gzip; the time of every file and of the archive is 0. Folders stand before what is in
    /// them.
    pub(crate) fn tar_gz(&self) -> Result<Vec<u8>> {
        let gz = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        let mut tar = tar::Builder::new(gz);
        let folders: BTreeSet<&Path> = self
            .0
            .keys()
            .flat_map(|path| path.ancestors().skip(1))
            .filter(|folder| !folder.as_os_str().is_empty())
            .collect();
        for folder in folders {
            let mut header = header(0o755, 0);
            header.set_entry_type(tar::EntryType::Directory);
            tar.append_data(&mut header, format!("{}/", name(folder)?), std::io::empty())?;
        }
        for (path, entry) in &self.0 {
            let mut header = header(entry.mode, entry.bytes.len() as u64);
            header.set_entry_type(tar::EntryType::Regular);
            tar.append_data(&mut header, name(path)?, entry.bytes.as_slice())?;
        }
        Ok(tar.into_inner()?.finish()?)
    }
}

fn header(mode: u32, size: u64) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}

fn name(path: &Path) -> Result<&str> {
    path.to_str().context("a name in the package is no UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(order: &[&str]) -> Files {
        let mut files = Files::default();
        for name in order {
            let entry = if *name == "d/run" {
                Entry::program
            } else {
                Entry::data
            };
            files.add(PathBuf::from(name), entry(name.repeat(1000).into_bytes()));
        }
        files
    }

    #[test]
    fn the_order_and_the_time_of_making_do_not_show() {
        let one = files(&["a", "d/run", "d/e/ü"]);
        let other = files(&["d/e/ü", "d/run", "a"]);
        assert_eq!(one.zip().unwrap(), other.zip().unwrap());
        assert_eq!(one.tar_gz().unwrap(), other.tar_gz().unwrap());
        assert_ne!(one.zip().unwrap(), files(&["a"]).zip().unwrap());
    }

    #[test]
    fn what_goes_in_comes_out_with_its_mode() {
        let gz = files(&["a", "d/run"]).tar_gz().unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(gz.as_slice()));
        let seen: Vec<_> = tar
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                (
                    entry.path().unwrap().display().to_string(),
                    header.mode().unwrap(),
                    header.mtime().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("d/".to_owned(), 0o755, 0),
                ("a".to_owned(), 0o644, 0),
                ("d/run".to_owned(), 0o755, 0)
            ]
        );
        let mut zip = zip::ZipArchive::new(Cursor::new(files(&["a"]).zip().unwrap())).unwrap();
        let file = zip.by_name("a").unwrap();
        assert_eq!(
            (file.size(), file.last_modified()),
            (1000, Some(zip::DateTime::default()))
        );
    }
}

//! The devices side by side in a file, which are ranks of their own.

use std::cell::RefCell;
use std::io;

use super::unpack_read::UnpackRead;
use crate::source::Source;
use stepscope_base::{PartAt, ReadAt};
use stepscope_read::{ENOUGH, Reader};

/// A file that several readers share.
struct Shared<'a, 'f>(&'a RefCell<&'f mut dyn ReadAt>);

impl ReadAt for Shared<'_, '_> {
    fn len(&self) -> u64 {
        self.0.borrow().len()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read_at(offset, buffer)
    }
}

/// Finds the devices of the sources in a file, one after another.
pub(super) struct Devices<'a, 'f> {
    file: &'a RefCell<&'f mut dyn ReadAt>,
    /// Continues from file to file of a compressed archive.
    running: Option<UnpackRead<PartAt<Shared<'a, 'f>>>>,
}

impl<'a, 'f> Devices<'a, 'f> {
    /// Devices of the sources in this file.
    pub(super) fn new(file: &'a RefCell<&'f mut dyn ReadAt>) -> Self {
        Self { file, running: None }
    }

    /// The first bytes of a source's text, as far as they were needed, and its devices.
    pub(super) fn find(&mut self, reader: &dyn Reader, source: &Source) -> io::Result<(Vec<u8>, Vec<i64>)> {
        let (mut head, mut text) = (Vec::new(), None);
        let devices = reader.devices_in(&source.path, &mut |buffer| {
            let text = text.get_or_insert_with(|| self.text(source));
            let len = text.read(buffer)?;
            head.extend_from_slice(&buffer[..len.min(ENOUGH - head.len())]);
            Ok(len)
        })?;
        self.running = text.or(self.running.take());
        Ok((head, devices))
    }

    /// The text of a source.
    fn text(&mut self, source: &Source) -> UnpackRead<PartAt<Shared<'a, 'f>>> {
        if let Some(mut running) = self.running.take()
            && running.go_on(&source.layers)
        {
            return running;
        }
        UnpackRead::new(PartAt::new(Shared(self.file), source.start, source.len), &source.layers)
    }
}

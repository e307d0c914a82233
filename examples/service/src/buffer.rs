use std::fs;

pub fn read_all(path: &str) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_default();
    let mut copy = Vec::with_capacity(bytes.len());
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), copy.as_mut_ptr(), bytes.len());
        copy.set_len(bytes.len());
    }
    copy
}

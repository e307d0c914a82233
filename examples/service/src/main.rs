mod buffer;

fn main() {
    let bytes = buffer::read_all("input.bin");
    println!("{} bytes", bytes.len());
}

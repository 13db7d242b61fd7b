//! Prints the hash of answers and their numbers.

fn main() {
    let answers = answers::answers::all();
    eprintln!("{}", answers.facts());
    println!("{:016x}", answers.hash());
}

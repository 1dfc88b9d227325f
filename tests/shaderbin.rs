//! Promises of `shaderbin`: bytes survive a round trip, nothing is guessed silently, and no file can crash the reader.

mod shaderbin {
    pub mod builder;

    mod blobs;
    mod checks;
    mod cli;
    mod damage;
    mod grub;
    mod material;
    mod permutation;
    mod scene;
}

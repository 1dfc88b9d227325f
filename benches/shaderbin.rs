//! A large shader family (1,500 variants, 330 parameters): read, checked and described as JSON. The aim is 10 ms.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use scrutineer::shaderbin::Shaderbin;
use scrutineer::shaderbin::describe::Description;

#[allow(dead_code, reason = "the tests' builder, of which this needs one family")]
#[path = "../tests/shaderbin/builder.rs"]
mod builder;

fn inspect(c: &mut Criterion) {
    let bytes = builder::large().bytes();
    c.bench_function("inspect a large family", |b| {
        b.iter(|| {
            let shader = Shaderbin::read(black_box(&bytes)).expect("the family is well formed");
            serde_json::to_string_pretty(&Description::new(&shader, "environment")).expect("it is plain data")
        });
    });
}

criterion_group!(benches, inspect);
criterion_main!(benches);

# Each recipe is one line that can be typed by hand where `just` is absent.

# Everything CI runs
ci:
    .ci/run

fmt:
    cargo fmt

lint:
    cargo clippy --release --all-targets -- -D warnings

test:
    cargo test --release

docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --open

# Renders a scene of ours into renders/out with a preview
render scene="paddock":
    mkdir -p renders/out && cargo run --release -- render scenes/{{scene}}/{{scene}}.toml -o renders/out/{{scene}}.exr --preview renders/out/{{scene}}.png

# The G-buffer of a scene: one centre ray a pixel
aov scene="paddock":
    mkdir -p renders/out && cargo run --release -- render scenes/{{scene}}/{{scene}}.toml -o renders/out/{{scene}}.gbuffer.exr --integrator gbuffer

# Makes the scenes again (meshes and textures under scenes/)
scenes:
    cargo run --release --example generate-scenes

# Renders the project's own scenes with another seed and compares them with renders/reference
regress:
    .ci/regress

# Makes today's pictures the references: just bless "why they are right"
bless reason:
    .ci/regress --bless "{{reason}}"

bench *which:
    cargo bench {{which}}

class Eco < Formula
  desc "Names the opening of every chess game"
  homepage "@repository@"
  version "@version@"
  license "GPL-3.0-or-later"

  on_macos do
    on_arm do
      url "@url aarch64-apple-darwin@"
      sha256 "@sha256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@url x86_64-apple-darwin@"
      sha256 "@sha256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@url aarch64-unknown-linux-musl@"
      sha256 "@sha256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@url x86_64-unknown-linux-musl@"
      sha256 "@sha256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "eco"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"eco", "completions")
  end

  test do
    assert_match "Dutch Defense", shell_output("#{bin}/eco lookup d4 f5 g3")
  end
end

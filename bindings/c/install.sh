#!/usr/bin/env bash
# Builds the library and puts it with its header, pkg-config and CMake files into a folder:
# bash bindings/c/install.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd)
target=${CARGO_TARGET_DIR:-$here/target}
# Without the crate type for Rust, beside which cargo links the others without `lto`.
cargo rustc --manifest-path "$here/Cargo.toml" --locked --release --lib --crate-type cdylib,staticlib \
    --target-dir "$target"
mkdir -p "$folder/include" "$folder/lib/pkgconfig" "$folder/lib/cmake/bitwall"
cp "$here/include/bitwall.h" "$folder/include"
for name in libbitwall_c.so libbitwall_c.a libbitwall_c.dylib bitwall_c.dll bitwall_c.dll.lib bitwall_c.lib; do
    if [ -f "$target/release/$name" ]; then cp "$target/release/$name" "$folder/lib"; fi
done
cat >"$folder/lib/pkgconfig/bitwall.pc" <<END
prefix=$folder
Name: bitwall
Description: Level collision for 2D games
Version: 0.1.0
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lbitwall_c
Libs.private: -lpthread -ldl -lm
END
cat >"$folder/lib/cmake/bitwall/bitwallConfig.cmake" <<'END'
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)
add_library(bitwall::bitwall SHARED IMPORTED)
add_library(bitwall::static STATIC IMPORTED)
if(WIN32)
  set_target_properties(bitwall::bitwall PROPERTIES IMPORTED_LOCATION "${root}/lib/bitwall_c.dll" IMPORTED_IMPLIB "${root}/lib/bitwall_c.dll.lib")
  set_target_properties(bitwall::static PROPERTIES IMPORTED_LOCATION "${root}/lib/bitwall_c.lib" INTERFACE_LINK_LIBRARIES "ws2_32;userenv;ntdll")
else()
  set_target_properties(bitwall::bitwall PROPERTIES IMPORTED_NO_SONAME TRUE
    IMPORTED_LOCATION "${root}/lib/libbitwall_c${CMAKE_SHARED_LIBRARY_SUFFIX}")
  set_target_properties(bitwall::static PROPERTIES IMPORTED_LOCATION "${root}/lib/libbitwall_c.a"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
set_target_properties(bitwall::bitwall bitwall::static PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${root}/include")
END
echo "installed to $folder"

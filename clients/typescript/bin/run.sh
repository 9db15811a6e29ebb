# The common part of the commands: runs the program called $name from the package for this platform. `root` is this package's folder.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
case $(uname -m) in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) platform=linux-$(uname -m) ;;
esac
if [ "$name" = login-engine ] && [ -n "$LOGIN_ENGINE" ]; then exec "$LOGIN_ENGINE" "$@"; fi
# The platform package is in the same folder as this package, or inside it if two versions are installed.
for folder in "$root/node_modules" "$(dirname "$root")"; do
  if [ -x "$folder/@login-engine/$platform/bin/$name" ]; then exec "$folder/@login-engine/$platform/bin/$name" "$@"; fi
done
echo "$name: the package @login-engine/$platform is missing: install its file from the release" >&2
exit 1

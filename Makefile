# Two commands: `make demo` and `make test`. Both install what is missing (Debian 12), build, and do the whole job.
.PHONY: demo studio studio-dist test quick build docs format check-format clean help

help:
	@echo "make demo    install, build, bake the bundled bunny into out/"
	@echo "make studio  install, build the web page and serve it on this machine"
	@echo "make studio-dist  the web page as a folder for any static host"
	@echo "make test    install, build and test everything (about 45 minutes on two cores)"
	@echo "make quick   the core's tests only (a few minutes)"
	@echo "make build   install and build the release"
	@echo "make docs    write the tables of settings anew"
	@echo "make format  format the sources"

build:
	@scripts/install_packages.sh core
	@scripts/build.sh release

demo:
	@scripts/install_packages.sh core
	@scripts/build.sh release fascia_cli
	@build/release/bin/fascia demo
	@echo "In the browser, by hand: make studio"

studio:
	@scripts/install_packages.sh core web
	@scripts/build_studio.sh
	@PATH="$$(scripts/install_node.sh):$$PATH" node scripts/serve_studio.mjs

studio-dist:
	@scripts/install_packages.sh core web
	@scripts/build_studio.sh
	@scripts/studio_dist.sh

quick:
	@scripts/install_packages.sh core
	@scripts/test.sh quick

test:
	@scripts/install_packages.sh core web dcc arm
	@scripts/test.sh all

docs:
	@scripts/build.sh release settings_docs
	@tests/docs/check_settings.sh . $(CURDIR)/build/release/tests/settings_docs --write

format:
	@scripts/sources.sh | xargs clang-format -i

check-format:
	@scripts/sources.sh | xargs clang-format --dry-run -Werror

clean:
	rm -rf build out

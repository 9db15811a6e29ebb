"""How Sphinx makes the website: see build."""

project = "login-engine"
html_title = "login-engine"
html_theme = "furo"
extensions = ["myst_parser", "sphinxcontrib.mermaid"]
myst_heading_anchors = 6
myst_fence_as_directive = ["mermaid"]
# The documents are written for readers on a code host first: what Pygments does not know stays plain text.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_copy_source = False
html_show_sphinx = False

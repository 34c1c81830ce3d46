"""What is missing is never passed over in CI."""

from __future__ import annotations

import pytest

from tests.support import optional


@pytest.mark.parametrize(("ci", "end"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_without_a_package_tests_are_skipped_but_fail_in_ci(
    ci: str, end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(end, match=r"^no_such_package is not installed"):
        optional.module("no_such_package")

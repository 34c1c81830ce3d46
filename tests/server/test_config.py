"""Settings from flags, environment and file: what goes before what, and wrong ones refused in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from server.config import SETTINGS, Setting, Settings, with_settings

seen: list[Settings] = []


@click.command()
@with_settings
def probe(settings: Settings) -> None:
    """Keeps what it is given."""
    seen.append(settings)


def run(*flags: str, variables: Mapping[str, str] | None = None) -> Result:
    seen.clear()
    return CliRunner().invoke(probe, flags, env=dict(variables or {}), auto_envvar_prefix=None)


def settings_of(*flags: str, variables: Mapping[str, str] | None = None) -> Settings:
    result = run(*flags, variables=variables)
    assert result.exit_code == 0, result.output
    [settings] = seen
    return settings


def refusal(*flags: str, variables: Mapping[str, str] | None = None) -> str:
    result = run(*flags, variables=variables)
    assert result.exit_code == 2, result.output
    assert not seen
    return " ".join(result.output.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "noughts.toml"


def test_the_table_and_the_class_have_the_same_names_and_defaults() -> None:
    assert [setting.name for setting in SETTINGS] == [field.name for field in fields(Settings)]
    plain = Settings()
    for setting in SETTINGS:
        if setting.name != "workers":  # depends on the machine
            assert getattr(plain, setting.name) == setting.default
    given = settings_of()
    assert given.workers >= 1
    assert given == Settings(workers=given.workers)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_a_sentence_a_flag_and_a_variable(setting: Setting) -> None:
    help = run("--help").output
    assert setting.flag in help
    assert setting.help.endswith(".")
    assert setting.variable.startswith("NOUGHTS_")


def test_a_flag_goes_before_the_environment_and_that_before_the_file(file: Path) -> None:
    file.write_text("port = 1\npace_ms = 1\nqueue = 1\n")
    variables = {"NOUGHTS_PORT": "2", "NOUGHTS_PACE_MS": "2"}
    settings = settings_of("--config", str(file), "--port", "3", variables=variables)
    assert (settings.port, settings.pace_ms, settings.queue, settings.think_ms) == (3, 2, 1, 30_000)


def test_the_file_may_be_named_by_the_environment(file: Path) -> None:
    file.write_text("max_rooms = 5")
    assert settings_of(variables={"NOUGHTS_CONFIG": str(file)}).max_rooms == 5


def test_each_kind_of_value_in_a_file(file: Path) -> None:
    file.write_text(
        'host = "::1"\nworker_session = false\nconnection_rate = 1.5\nplayer_rate = 7\n'
        'trusted_proxy = "10.0.0.1, 10.0.0.2"\nlog_level = "debug"\n'
    )
    settings = settings_of("--config", str(file))
    assert settings.host == "::1"
    assert settings.worker_session is False
    assert (settings.connection_rate, settings.player_rate) == (1.5, 7.0)
    assert settings.trusted_proxies == {"10.0.0.1", "10.0.0.2"}
    assert settings.log_level == "debug"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("prot = 9000", "there is no setting 'prot' (did you mean port?): write one of address_open, "),
        ("[server]\nport = 9000", "server"),
        ("port = [9000]", "port"),
        ("port = 2020-01-01", "port"),
        ("port = 70000", "70000"),
        ('port = "many"', "many"),
        ("port = 9000.5", "9000.5"),
        ("workers = 0", "0"),
        ("workers = true", "True"),
        ("ping_s = 0.5", "0.5"),
        ("connection_rate = nan", "nan"),
        ("connection_rate = inf", "inf"),
        ('log_level = "loud"', "loud"),
        ("port = ", "This is not valid TOML: Invalid value (at end of document)."),
        ("\ufeff\u0000", "TOML"),
    ],
)
def test_wrong_files(file: Path, text: str, word: str) -> None:
    file.write_text(text)
    assert word in refusal("--config", str(file))


def test_files_that_cannot_be_read(tmp_path: Path, file: Path) -> None:
    assert "missing.toml" in refusal("--config", str(tmp_path / "missing.toml"))
    assert str(tmp_path) in refusal("--config", str(tmp_path))
    file.write_bytes(b"\xff\xfe")
    assert "not text in UTF-8" in refusal("--config", str(file))


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--port", "-1"),
        ("--port", "65536"),
        ("--port", "http"),
        ("--workers", "0"),
        ("--worker-nice", "20"),
        ("--worker-session", "maybe"),
        ("--queue", "0"),
        ("--think-ms", "0"),
        ("--pace-ms", "-1"),
        ("--max-rooms", "0"),
        ("--connection-rate", "-0.1"),
        ("--connection-rate", "nan"),
        ("--player-rate", "inf"),
        ("--address-open", "-1"),
        ("--ping-s", "0"),
        ("--log-level", "loud"),
        ("--log-format", "xml"),
    ],
)
def test_wrong_flags_and_variables(flag: str, value: str) -> None:
    [setting] = [setting for setting in SETTINGS if setting.flag == flag]
    assert value in refusal(flag, value)
    said = refusal(variables={setting.variable: value})
    assert value in said
    assert setting.variable in said


def test_nobody_listens_everywhere_by_leaving_the_host_out(file: Path) -> None:
    file.write_text('host = ""')
    assert "Invalid value for host in the file: it is empty: write 127.0.0.1" in refusal("--config", str(file))
    assert "0.0.0.0 for all addresses" in refusal("--host", " ")


@pytest.mark.parametrize("value", ["", " ", "maybe"])
def test_what_is_neither_true_nor_false_is_refused(file: Path, value: str) -> None:
    file.write_text(f'worker_session = "{value}"')
    said = f"Invalid value for worker_session in the file: {value!r} is neither true nor false."
    assert said in refusal("--config", str(file))


def test_a_wrong_value_in_a_file_is_not_said_of_a_flag(file: Path) -> None:
    file.write_text('port = "x"')
    said = refusal("--config", str(file))
    assert "Invalid value for port in the file: 'x'" in said


def test_a_trusted_proxy_alone_is_this_machine() -> None:
    assert settings_of("--trusted-proxy").trusted_proxies == {"127.0.0.1", "::1"}
    assert settings_of("--trusted-proxy", "--port", "0").trusted_proxies == {"127.0.0.1", "::1"}
    assert settings_of("--trusted-proxy", "10.1.1.1").trusted_proxies == {"10.1.1.1"}
    assert settings_of().trusted_proxies == frozenset()


def test_origins_are_compared_without_case_and_slash() -> None:
    settings = settings_of("--allow-origin", "https://A.example/, http://b.example:81 ,")
    assert settings.allowed_origins == {"https://a.example", "http://b.example:81"}
    assert settings_of().allowed_origins == frozenset()
    embedding = settings_of("--allow-embed", "https://Blog.example/")
    assert (embedding.embedders, embedding.allowed_origins) == (frozenset({"https://blog.example"}), frozenset())


@pytest.mark.parametrize(
    ("flag", "wrong"),
    [
        ("--trusted-proxy", "bogus"),
        ("--trusted-proxy", "127.0.0.1,10.0.0.256"),
        ("--allow-origin", "example.org"),
        ("--allow-origin", "https://example.org/path"),
        ("--allow-origin", "https://a.org b.org"),
        ("--allow-embed", "https://a.org;script-src"),
    ],
)
def test_addresses_and_origins_are_checked(flag: str, wrong: str) -> None:
    assert wrong.split(",")[-1] in refusal(flag, wrong)


def test_addresses_and_origins_are_listed_with_commas() -> None:
    settings = settings_of("--trusted-proxy", "10.0.0.1, ::1", "--allow-origin", "https://A.org/,http://b.org:8000")
    assert settings.trusted_proxies == {"10.0.0.1", "::1"}
    assert settings.allowed_origins == {"https://a.org", "http://b.org:8000"}

"""What programs say of a certificate that is not taken, and what only sounds so."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from evals.diagnosis.composed.scene import replicas, works
from evals.diagnosis.incidents.world import NOW, World, container
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, Listed, LogRead, ObjectKind, ObjectReader
from queries.observe.report.report import DiagnosisRequest
from queries.observe.rules.families.logs.certificates import flaw_of, told_from
from queries.observe.sources.recorded.api import open_recording
from storage.clock import SystemClock

X509 = "x509: certificate has expired or is not yet valid"


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (f"Get https://a.example: {X509}: current time 2026-11-20T09:59:00Z is after 2026-11-19T23:59:59Z", "expired"),
        (f"Get https://a.example: {X509}: current time 2026-11-18T09:59:00Z is before 2026-11-19T00:00:00Z", "early"),
        (X509, "expired"),
        ("ssl.SSLCertVerificationError: certificate verify failed: certificate has expired (_ssl.c:1006)", "expired"),
        ("Error: CERT_HAS_EXPIRED", "expired"),
        ("java.security.cert.CertificateNotYetValidException: NotBefore: Fri Nov 20 2026", "early"),
        ("sun.security.validator.ValidatorException: PKIX path building failed: unable to find path", "signer"),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate in certificate chain", "signer"),
        ("x509: certificate signed by unknown authority", "signer"),
        ("x509: certificate is valid for a.example, not b.example", "misnamed"),
        ("Hostname/IP does not match certificate's altnames: ERR_TLS_CERT_ALTNAME_INVALID", "misnamed"),
        ("remote error: tls: bad certificate", "other"),
        ("调用支付接口失败：证书已过期", "expired"),
        ("http: TLS handshake error from 10.1.2.3:41234: remote error: tls: bad certificate", ""),
        ("WARN certificate of a.example expires in 29 days", ""),
        ("session expired for user 7", ""),
    ],
)
def test_what_is_wrong_with_a_certificate_is_read(words: str, flaw: str) -> None:
    assert flaw_of(words) == flaw


def test_a_long_chain_of_causes_is_quoted_where_it_speaks_of_the_certificate() -> None:
    assert X509 in told_from("Caused by: " * 60 + X509, 200)[:200]
    assert told_from(X509, 200) == X509


@dataclass(frozen=True)
class WithoutLogs:
    """Objects as recorded; a kubelet whose own certificate has expired gives no log."""

    recorded: ObjectReader

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        return await self.recorded.list(kind, namespace=namespace, selector=selector, most=most)

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        request = f"GET log of {namespace}/{pod} ({previous}, {lines})"
        detail = f'Get "https://10.0.0.7:10250/containerLogs/{namespace}/{pod}/{container}": {X509}'
        raise ReadFailed(FailureKind.SERVER_ERROR, request, status=500, detail=detail)

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        return await self.recorded.may(verb, kind, namespace=namespace, subresource=subresource)


async def test_a_node_that_gives_no_log_for_its_certificate_is_told_and_the_app_is_not_blamed(tmp_path: Path) -> None:
    world = World("shop", "cart")
    works(world, *replicas(world, container("cart"), container("cart")))
    world.write(tmp_path / "world")
    recorded = open_recording(tmp_path / "world", SystemClock())
    assert recorded.objects
    asked = DiagnosisRequest("r", "is cart well?", "en", "prod", "shop", NOW, app="cart", selector="app=cart")

    report = await diagnose(
        asked, ClusterSources("prod", objects=WithoutLogs(recorded.objects), metrics=recorded.metrics)
    )

    told = {each.rule: each for each in report.issues}
    assert told["CERTIFICATE_REFUSED"].role == "context"
    assert "has expired" in told["CERTIFICATE_REFUSED"].hypothesis.en
    assert {each.what for each in report.not_checked} & {"log of cart-0/cart"}

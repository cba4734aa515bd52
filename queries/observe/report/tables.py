"""The tables of reports and incidents; seen by their store and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class ReportRow(Base):
    """One report; what a list shows stands in columns."""

    __tablename__ = "queries_reports"
    __table_args__ = (Index("ix_queries_reports_made_at", "made_at"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    owner: Mapped[str] = mapped_column(String(200))
    door: Mapped[str] = mapped_column(String(20))
    cluster: Mapped[str] = mapped_column(String(63))
    namespace: Mapped[str] = mapped_column(String(63))
    app: Mapped[str] = mapped_column(String(253))
    severity: Mapped[str] = mapped_column(String(2))
    headline_en: Mapped[str] = mapped_column(Text())
    headline_zh: Mapped[str] = mapped_column(Text())
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    report: Mapped[Any] = mapped_column(Json)
    told: Mapped[bytes | None] = mapped_column(LargeBinary(), deferred=True)  # by the sources, for a replay


class IncidentRow(Base):
    """Alerts of one group, from the first that fires to the last that is resolved."""

    __tablename__ = "queries_incidents"
    __table_args__ = (Index("ix_queries_incidents_group", "group_key", "open"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    group_key: Mapped[str] = mapped_column(String(64))  # digest of Alertmanager's
    open: Mapped[bool] = mapped_column(Boolean())
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime)
    changed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    report_id: Mapped[str] = mapped_column(String(40))
    alerts: Mapped[Any] = mapped_column(Json)

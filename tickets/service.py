"""The public face of the package: every use case of drafts and tickets, each one transaction.

Whose ticket it is decides with the policy: its requester may show, comment, urge, reopen and cancel it, people with
`tickets:work` everything. For everybody else it does not exist (`NotFound`, the same as for a number never given).
Refused attempts are audited too.
"""

from tickets.use_cases.filing import Filing
from tickets.use_cases.reading import Reading
from tickets.use_cases.watching import Watching
from tickets.use_cases.working import Working


class TicketService(Filing, Working, Watching, Reading):
    """Drafts (`drafting.py`, `filing.py`), changes, watchers and questions behind one name."""

"""The checks that safety rests on, by area, and for each the test that fails when it is taken out.

A check that no test notices is no promise: whoever adds one adds its line here, and `make mutants` tries them all.
"""

from collections.abc import Mapping

from tests.mutants.mutant import Mutant

MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    "permissions": (
        Mutant(
            "identity/policy.py",
            "    if _holds(actor, permission):",
            "    if True:",
            "tests/identity/test_policy.py::test_a_person_has_what_the_roles_give_together",
        ),
        Mutant(
            "identity/policy.py",
            "        return bool(permission.roles & roles)",
            "        return True",
            "tests/identity/test_policy.py::test_what_a_feature_permits_is_for_its_roles_only",
        ),
        Mutant(
            "identity/policy.py",
            '        return ROLE_PERMISSIONS["guest"]',
            '        return ROLE_PERMISSIONS["staff"]',
            "tests/identity/test_policy.py::test_a_guest_is_a_guest_whatever_roles_it_claims",
        ),
        Mutant(
            "identity/policy.py",
            "    if not decision.allowed:",
            "    if False:",
            "tests/identity/test_policy.py::test_a_refusal_says_who_what_and_why",
        ),
        Mutant(
            "identity/policy.py",
            "        kind=ActorKind.GUEST if guests else ActorKind.STAFF,",
            "        kind=ActorKind.STAFF,",
            "tests/identity/test_policy.py::test_who_read_along_may_do_together_what_none_of_them_may_not",
        ),
        Mutant(
            "identity/policy.py",
            "        roles=frozenset() if guests or is_open else frozenset(roles),",
            "        roles=frozenset(roles),",
            "tests/identity/test_policy.py::test_who_read_along_may_do_together_what_none_of_them_may_not",
        ),
        Mutant(
            "search/access.py",
            "        return self.everything or not self.principals.isdisjoint(allow)",
            "        return True",
            "tests/contracts/test_index.py::test_a_page_shows_only_to_those_it_is_open_to",
        ),
        Mutant(
            "search/access.py",
            "        if self.within is not None and self.within.isdisjoint(allow):",
            "        if False:",
            "tests/contracts/test_index.py::test_a_page_shows_only_to_those_it_is_open_to",
        ),
        Mutant(
            "search/access.py",
            "        return (self.sources is None or source in self.sources) and self.allows(allow)",
            "        return self.allows(allow)",
            "tests/contracts/test_index.py::test_a_page_shows_only_to_those_it_is_open_to",
        ),
        Mutant(
            "search/access.py",
            "        if not isinstance(principal, str) or not _PRINCIPAL.fullmatch(principal):",
            "        if not isinstance(principal, str):",
            "tests/search/test_folder.py::test_a_list_that_cannot_be_read_closes_the_folder",
        ),
        Mutant(
            "agent/runs/runs.py",
            "        return seen <= await self._search.readable(actor, seen, readership=readership)",
            "        return True",
            "tests/adversarial/test_todays_rights.py::test_what_waits_for_a_button_is_shown_without_words_of_a_page_that_is_closed_since",
        ),
        Mutant(
            "agent/runs/pages.py",
            '    return str(item.source.get("rests_on") or "")',
            '    return ""',
            "tests/adversarial/test_todays_rights_of_results.py::test_nobody_is_shown_rows_and_findings_that_they_would_not_be_told_now",
        ),
        Mutant(
            "agent/runs/rights.py",
            "            return kept == eyes_of(actor)",
            "            return True",
            "tests/adversarial/test_todays_rights_of_results.py::test_nor_a_digest_that_was_sent_before",
        ),
        Mutant(
            "queries/observe/access/scope.py",
            "        if cluster not in self.config.clusters or not DNS_LABEL.fullmatch(namespace):",
            "        if cluster not in self.config.clusters:",
            "tests/queries/observe/access/test_scope.py::test_what_is_no_name_is_never_granted",
        ),
        Mutant(
            "queries/observe/access/scope.py",
            "            if all(labels.get(key, value) == value for key, value in each.labels.items()):",
            "            if True:",
            "tests/queries/observe/access/test_scope.py::test_labels_of_a_scope_narrow_what_is_asked_for",
        ),
        Mutant(
            "queries/observe/access/scope.py",
            "            present.append(principals)",
            "            pass",
            "tests/queries/observe/access/test_scope.py::test_where_others_read_along_only_what_all_may_see_is_there",
        ),
    ),
    "gate": (
        Mutant(
            "agent/gate/checks.py",
            "    if not decide(attempt.context.actor, permission).allowed:",
            "    if False:",
            "tests/agent/test_gate.py::test_whatever_is_not_offered_cannot_be_called",
        ),
        Mutant(
            "agent/gate/checks.py",
            "    if attempt.name in attempt.context.withheld:",
            "    if False:",
            "tests/agent/test_gate.py::test_a_tool_that_is_withheld_where_it_is_asked_is_refused_whoever_asks",
        ),
        Mutant(
            "agent/gate/checks.py",
            "    if foreign:",
            "    if False:",
            "tests/agent/test_gate.py::test_an_argument_that_says_who_is_calling_is_refused_and_audited",
        ),
        Mutant(
            "agent/gate/checks.py",
            "        checked = attempt.tool.spec.arguments.model_validate(dict(attempt.given))",
            "        checked = attempt.tool.spec.arguments.model_construct(**dict(attempt.given))",
            "tests/agent/test_gate.py::test_arguments_that_do_not_fit_the_schema_are_refused_with_the_reason",
        ),
        Mutant(
            "agent/gate/checks.py",
            "ledger.calls[name] > tool.policy.calls_per_run or ledger.calls.total() > self._budget.tool_calls",
            "False",
            "tests/agent/test_gate.py::test_a_tool_has_a_budget_and_so_has_the_run",
        ),
        Mutant(
            "agent/gate/checks.py",
            "            case Confirmation.AFTER_UNTRUSTED if not attempt.tainted:",
            "            case Confirmation.AFTER_UNTRUSTED:",
            "tests/agent/test_gate.py::test_a_write_waits_for_a_button_once_foreign_text_was_read",
        ),
        Mutant(
            "agent/gate/checks.py",
            "            case Confirmation.NEVER:",
            "            case Confirmation.NEVER | Confirmation.ALWAYS:",
            "tests/agent/test_gate.py::test_a_risky_call_always_waits_for_a_button",
        ),
    ),
    "approvals": (
        Mutant(
            "agent/approvals/approvals.py",
            "        if approval.actor_id != actor.id:\n            await self._book.refuse",
            "        if False:\n            await self._book.refuse",
            "tests/agent/test_approvals.py::test_another_person_cannot_press_and_it_is_audited",
        ),
        Mutant(
            "agent/approvals/approvals.py",
            "        if approval.actor_id != actor.id and actor.kind is not ActorKind.SYSTEM:",
            "        if False:",
            "tests/agent/test_approvals.py::test_another_person_cannot_press_and_it_is_audited",
        ),
        Mutant(
            "agent/approvals/approvals.py",
            "        if not is_nonce(self._key, approval, nonce=nonce):",
            "        if False:",
            "tests/agent/test_approvals.py::test_a_wrong_nonce_does_nothing",
        ),
        Mutant(
            "agent/approvals/approvals.py",
            "        if approval.state is not ApprovalState.PENDING:\n            interrupted",
            "        if False:\n            interrupted",
            "tests/agent/test_approvals.py::test_a_resumable_call_is_brought_to_its_end_by_the_next_press",
        ),
        Mutant(
            "agent/approvals/approvals.py",
            "        if approval.expires_at <= self._book.clock.now():",
            "        if False:",
            "tests/agent/test_approvals.py::test_after_half_an_hour_the_button_is_dead",
            also=(
                (
                    "agent/approvals/store.py",
                    "            ApprovalRow.digest == approval.digest,\n            ApprovalRow.expires_at > now,\n",
                    "            ApprovalRow.digest == approval.digest,\n",
                ),
            ),
        ),
        Mutant(
            "agent/approvals/confirmed.py",
            "bound(approval.tool, approval.actor_id, approval.arguments) != approval.digest",
            "False",
            "tests/agent/test_approvals.py::test_what_was_changed_in_the_database_is_not_done",
        ),
        Mutant(
            "agent/approvals/confirmed.py",
            "        if not decision.allowed:",
            "        if False:",
            "tests/agent/test_approvals.py::test_rights_are_asked_again_when_the_button_is_pressed",
        ),
        Mutant(
            "agent/approvals/confirmed.py",
            "            if not resumed and await _has_changed(tool, context, arguments, approval):",
            "            if False:",
            "tests/agent/test_approvals.py::test_what_has_changed_since_is_not_done",
        ),
        Mutant(
            "agent/approvals/confirmed.py",
            "        if not claimed:",
            "        if False:",
            "tests/agent/test_approvals.py::test_of_sixteen_presses_at_once_one_executes",
        ),
    ),
    "signatures": (
        Mutant(
            "adapters/slack/inbound/signatures.py",
            "        if abs(self._clock.now() - int(timestamp)) > WINDOW_S:",
            "        if False:",
            "tests/adversarial/test_slack_forgery.py::test_a_signature_that_is_not_slacks",
        ),
        Mutant(
            "adapters/slack/inbound/signatures.py",
            '        return None if good else "forged"',
            "        return None",
            "tests/adversarial/test_slack_forgery.py::test_a_signature_that_is_not_slacks",
        ),
        Mutant(
            "adapters/slack/inbound/signatures.py",
            "        if not timestamp or not signature:",
            "        if False:",
            "tests/adversarial/test_slack_forgery.py::test_a_signature_that_is_not_slacks",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            '        if header.get("alg") != ALGORITHM:',
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if claims.iss != ISSUER:",
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if claims.aud.lower() != self._app_id:",
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if max(claims.nbf, claims.iat) > now + LEEWAY_S:",
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if claims.exp <= now - LEEWAY_S:",
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if voucher is None or not isinstance(channel, str) or channel not in voucher.channels:",
            "        if voucher is None or not isinstance(channel, str):",
            "tests/adversarial/test_teams_forgery.py::test_a_channel_that_the_key_does_not_vouch_for",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if channel != CHANNEL:  # on",
            "        if False:  # on",
            "tests/adversarial/test_teams_forgery.py::test_another_channel_than_teams",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            '        if not _same(voucher.service_url, activity.get("serviceUrl")):',
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_forged_tokens",
        ),
        Mutant(
            "adapters/teams/inbound/tokens.py",
            "        if _tenant(activity).lower() not in self._tenants:",
            "        if False:",
            "tests/adversarial/test_teams_forgery.py::test_a_tenant_that_may_not_write",
        ),
        Mutant(
            "features/diagnosis/alerts.py",
            "        if not hmac.compare_digest(secret.encode(), self._observe.alert_secret.encode()):",
            "        if False:",
            "tests/scenarios/test_everywhere_alerts.py::test_who_does_not_know_the_secret_is_refused",
        ),
        Mutant(
            "bot/console/access/guard.py",
            "        if self._hosts is not None and host_name(host) not in self._hosts:",
            "        if False:",
            "tests/console/test_guard.py::test_a_host_name_that_is_not_ours_is_refused",
        ),
        Mutant(
            "bot/console/access/guard.py",
            '        if headers.get("origin", "") not in self._origins(host):',
            "        if False:",
            "tests/console/test_guard.py::test_a_write_from_another_origin_is_refused_even_with_everything_else_right",
        ),
        Mutant(
            "bot/server.py",
            '            if visitor is not None and not visitor.may_write(request.headers.get("x-csrf-token", "")):',
            "            if False:",
            "tests/console/test_guard.py::test_a_chat_door_without_the_sessions_token_is_refused",
        ),
    ),
    "audit": (
        Mutant(
            "identity/chain.py",
            "        elif entry_hash(entry) != seal.entry_hash:",
            "        elif False:",
            "tests/identity/test_audit.py::test_an_edited_entry_is_named",
        ),
        Mutant(
            "identity/chain.py",
            "        elif linked != seal.chain_hash:",
            "        elif False:",
            "tests/identity/test_audit.py::test_a_forged_seal_is_noticed",
        ),
        Mutant(
            "identity/chain.py",
            "        if entry is None:\n            self.missing",
            "        if False:\n            self.missing",
            "tests/identity/test_audit.py::test_a_deleted_entry_is_named",
        ),
        Mutant(
            "identity/audit.py",
            "set(() if skips else gone)",
            "set()",
            "tests/identity/test_audit.py::test_an_entry_deleted_before_it_was_sealed_is_named",
        ),
        Mutant(
            "identity/chain.py",
            "        return frozenset(position for position in self.witnessed if position > self.last.position)",
            "        return frozenset()",
            "tests/identity/test_audit.py::test_a_cut_tail_and_what_is_made_again_show_against_a_witness",
        ),
        Mutant(
            "identity/chain.py",
            "            self.rewritten.add(seal.position)",
            "            pass",
            "tests/identity/test_audit.py::test_a_cut_tail_and_what_is_made_again_show_against_a_witness",
        ),
        Mutant(
            "identity/chain.py",
            "        self.broken.update(_some(self.head.position + 1, tip))",
            "",
            "tests/identity/test_audit.py::test_a_deleted_head_is_noticed",
        ),
        Mutant(
            "identity/audit.py",
            '            "detail": redact_json(dict(detail or {})),',
            '            "detail": dict(detail or {}),',
            "tests/identity/test_audit.py::test_secrets_and_unstorable_characters_do_not_reach_the_trail",
        ),
        Mutant(
            "identity/audit.py",
            "AUDIT_READ)\n        async with self._database.reading() as session:\n            tip",
            "KNOWLEDGE_ASK)\n        async with self._database.reading() as session:\n            tip",
            "tests/identity/test_audit.py::test_only_auditors_may_look",
        ),
        Mutant(
            "agent/tools/arguments.py",
            '        return value if not value or _ID.fullmatch(value) else {"characters": len(value)}',
            "        return value",
            "tests/adversarial/test_secrets.py::test_the_audit_tells_who_did_what_and_holds_nobody_s_words",
        ),
    ),
    "readers": (
        Mutant(
            "search/parsing/markdown/safe_yaml.py",
            "    if len(text) > LONGEST:",
            "    if False:",
            "tests/search/test_safe_yaml.py::test_front_matter_that_is_too_much_is_one_line_at_once",
        ),
        Mutant(
            "storage/files/plain.py",
            "    if depth > DEEPEST:",
            "    if False:",
            "tests/search/test_safe_yaml.py::test_front_matter_that_is_too_much_is_one_line_at_once",
        ),
        Mutant(
            "storage/files/plain.py",
            "    if isinstance(event, yaml.AliasEvent):",
            "    if False:",
            "tests/search/test_safe_yaml.py::test_front_matter_that_is_too_much_is_one_line_at_once",
        ),
        Mutant(
            "storage/files/plain.py",
            '    if getattr(event, "tag", None) is not None:',
            "    if False:",
            "tests/search/test_safe_yaml.py::test_front_matter_that_is_too_much_is_one_line_at_once",
        ),
        Mutant(
            "storage/files/plain.py",
            "    if isinstance(event, yaml.ScalarEvent) and event.value == _MERGE and event.implicit[0]:",
            "    if False:",
            "tests/search/test_safe_yaml.py::test_front_matter_that_is_too_much_is_one_line_at_once",
        ),
        Mutant(
            "search/parsing/contents.py",
            "    if text > MOST_TEXT or total > MOST or len(parts) > _MOST_PARTS:",
            "    if False:",
            "tests/search/parsing/test_bad_files.py::test_each_bad_file_is_one_line_and_everything_else_is_read",
        ),
        Mutant(
            "search/parsing/apart/program.py",
            "    if len(text) > most:",
            "    if False:",
            "tests/search/parsing/test_bad_files.py::test_a_file_with_more_text_than_a_library_is_told",
        ),
        Mutant(
            "search/parsing/apart/program.py",
            "        resource.setrlimit(resource.RLIMIT_AS, (wanted",
            "        (lambda *_: None)(resource.RLIMIT_AS, (wanted",
            "tests/search/parsing/test_bad_files.py::test_a_file_that_eats_memory_costs_one_line",
        ),
        Mutant(
            "features/knowledge/pages/html.py",
            "    if time.thread_time() > env[_UNTIL]:",
            "    if False:",
            "tests/search/parsing/test_shown.py::test_a_page_that_takes_long_to_be_drawn_is_shown_as_it_is_written",
        ),
        *(
            Mutant(
                "features/knowledge/pages/html.py",
                before,
                after,
                "tests/search/parsing/test_shown.py::test_each_block_each_piece_of_a_line_and_each_section_looks_at_the_clock",
            )
            for before, after in (
                ('    parser.block.ruler.before("table", "clock", _clock_of_blocks, {"alt": everywhere})\n', ""),
                ('    parser.inline.ruler.before("text", "clock", _clock_of_lines)\n', ""),
                ("        _in_time(env)\n        html = ", "        html = "),
            )
        ),
        Mutant(
            "search/parsing/apart/program.py",
            "        _limit_time(seconds)",
            "        pass",
            "tests/search/parsing/test_readers.py::test_a_reader_that_nobody_waits_for_ends_by_itself",
        ),
        Mutant(
            "search/parsing/apart/readers.py",
            "        until = time.monotonic() + self._limits.seconds",
            "        until = time.monotonic() + 1e9",
            "tests/search/parsing/test_bad_files.py::test_a_page_that_takes_too_long_costs_its_time_and_one_line",
        ),
    ),
    "guard": (
        Mutant(
            "queries/sql/guard/reading.py",
            "    if not isinstance(tree, (exp.Select, exp.SetOperation, exp.Subquery)):",
            "    if False:",
            "tests/queries/sql/guard/test_guard.py::test_a_statement_is_a_query_before_anything_else_is_asked_of_it",
        ),
        Mutant(
            "queries/sql/guard/reading.py",
            "    if len(trees) != 1:",
            "    if not trees:",
            "tests/queries/sql/guard/test_guard.py::test_a_refusal_says_why_and_names_what",
        ),
        Mutant(
            "queries/sql/guard/reading.py",
            "    refuse_characters(statement, Refusal.CHARACTERS)",
            "",
            "tests/queries/sql/guard/test_guard.py::test_a_refusal_says_why_and_names_what",
        ),
        Mutant(
            "queries/sql/guard/guard.py",
            "        refuse_constructs(tree, dialect)",
            "",
            "tests/queries/sql/guard/test_guard.py::test_a_refusal_says_why_and_names_what",
        ),
        Mutant(
            "queries/sql/guard/guard.py",
            "        swap.swap(tree)",
            "",
            "tests/queries/sql/guard/test_guard.py::test_a_refusal_says_why_and_names_what",
        ),
    ),
    "secrets": (
        Mutant(
            "bot/inbox/inbox.py",
            "        given, event = event, await freed_of_secrets(event)",
            "        given = event",
            "tests/adversarial/test_secrets.py::test_nothing_keeps_what_was_said",
        ),
        Mutant(
            "bot/delivery/transcript.py",
            "            content = await redact_beside(content)",
            "            pass",
            "tests/adversarial/test_secrets.py::test_nothing_keeps_what_was_said",
        ),
        Mutant(
            "bot/inbox/inbox.py",
            "            event = event if text == event.text else replace(event, text=text)",
            "            pass",
            "tests/adversarial/test_secrets.py::test_nor_what_was_announced_in_one_message_and_told_in_the_next",
        ),
        Mutant(
            "bot/delivery/transcript.py",
            '            content = await self._announced.freed(f"{place.key}:{place.user}", key, content)',
            "            pass",
            "tests/adversarial/test_secrets.py::test_nor_what_was_announced_in_one_message_and_told_in_the_next",
        ),
    ),
    "loop": (
        Mutant(
            "bot/console/access/guard.py",
            '        if name == b"cookie" and b"\\\\" in value:',
            "        if False:",
            "tests/console/test_guard.py::test_no_cookie_with_a_backslash_is_passed_on",
        ),
        Mutant(
            "bot/delivery/events.py",
            "    if len(repr(event)) <= LONG:",
            "    if True:",
            "tests/adversarial/test_long_messages.py::test_nor_does_taking_secrets_out_of_it",
        ),
    ),
    "news": (
        Mutant(
            "bot/delivery/news/renewal.py",
            "        if fresh and actor is not None and waited.rights == rights_of(actor):",
            "        if True:",
            "tests/scenarios/test_rights_when_sent.py::test_news_of_a_ticket_are_not_told_to_whom_it_is_closed_meanwhile",
            also=(
                (
                    "bot/delivery/news/telling.py",
                    "        if subject and self._draw is not None:",
                    "        if False and subject and self._draw is not None:",
                ),
            ),
        ),
    ),
    "limits": (
        Mutant(
            "bot/console/access/connections.py",
            "        while sum(each == address for each in self.waiting.values()) >= WAITING_PER_ADDRESS:",
            "        while False:",
            "tests/console/test_connections.py::"
            "test_the_oldest_of_an_address_gives_way_to_its_next_and_nobody_else_does",
        ),
        Mutant(
            "bot/console/access/connections.py",
            "        if len(self.open) >= self.at_most and self.waiting:",
            "        if False:",
            "tests/console/test_connections.py::"
            "test_of_all_the_oldest_that_waits_gives_way_and_where_none_waits_the_new_one_is_refused",
        ),
        Mutant(
            "bot/console/sign_in.py",
            "        if wait_s > 0:",
            "        if False:",
            "tests/adversarial/test_exhaustion.py::test_wrong_sign_ins_are_told_to_wait",
        ),
    ),
}

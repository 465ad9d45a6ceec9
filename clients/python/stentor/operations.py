"""A method for each operation of the interface. Generated from openapi.json: do not edit."""

from typing import Any, Union

Id = Union[int, str]


class Operations:
    """The operations of Stentor. `options` are those of `Stentor.request`: query, headers, timeout and others."""

    def request(self, method: str, path: str, path_values: Any = None, body: Any = None, **options: Any) -> Any:
        raise NotImplementedError

    def get_liveness(self, **options: Any) -> Any:
        """Check that the process is alive.

        `GET /health/live`
        """
        return self.request('GET', '/health/live', {}, **options)

    def get_readiness(self, **options: Any) -> Any:
        """Check that the process is ready.

        `GET /health/ready`
        """
        return self.request('GET', '/health/ready', {}, **options)

    def get_metrics(self, **options: Any) -> Any:
        """Get the metrics of the account.

        `GET /metrics`
        """
        return self.request('GET', '/metrics', {}, **options)

    def list_audit_entries(self, **options: Any) -> Any:
        """List the audit entries.

        `GET /audit`

        Query: limit, after, start, end, who, operation, object.
        """
        return self.request('GET', '/audit', {}, **options)

    def list_requests(self, **options: Any) -> Any:
        """List recent API requests.

        `GET /requests`

        Query: limit, after, key, status.
        """
        return self.request('GET', '/requests', {}, **options)

    def list_jobs(self, **options: Any) -> Any:
        """List the jobs.

        `GET /jobs`

        Query: limit, after, state.
        """
        return self.request('GET', '/jobs', {}, **options)

    def get_job(self, id: Id, **options: Any) -> Any:
        """Get a job.

        `GET /jobs/{id}`
        """
        return self.request('GET', '/jobs/{id}', {'id': id}, **options)

    def list_fields(self, **options: Any) -> Any:
        """List the fields.

        `GET /fields`

        Query: limit, after.
        """
        return self.request('GET', '/fields', {}, **options)

    def create_field(self, body: Any, **options: Any) -> Any:
        """Create a field.

        `POST /fields`
        """
        return self.request('POST', '/fields', {}, body=body, **options)

    def get_field(self, id: Id, **options: Any) -> Any:
        """Get a field.

        `GET /fields/{id}`
        """
        return self.request('GET', '/fields/{id}', {'id': id}, **options)

    def update_field(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a field.

        `PUT /fields/{id}`
        """
        return self.request('PUT', '/fields/{id}', {'id': id}, body=body, **options)

    def delete_field(self, id: Id, **options: Any) -> Any:
        """Delete a field.

        `DELETE /fields/{id}`
        """
        return self.request('DELETE', '/fields/{id}', {'id': id}, **options)

    def list_field_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a field.

        `GET /fields/{id}/links`
        """
        return self.request('GET', '/fields/{id}/links', {'id': id}, **options)

    def list_value_lists(self, **options: Any) -> Any:
        """List the value lists.

        `GET /valueLists`

        Query: limit, after.
        """
        return self.request('GET', '/valueLists', {}, **options)

    def create_value_list(self, body: Any, **options: Any) -> Any:
        """Create a value list.

        `POST /valueLists`
        """
        return self.request('POST', '/valueLists', {}, body=body, **options)

    def get_value_list(self, id: Id, **options: Any) -> Any:
        """Get a value list.

        `GET /valueLists/{id}`
        """
        return self.request('GET', '/valueLists/{id}', {'id': id}, **options)

    def update_value_list(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a value list.

        `PUT /valueLists/{id}`
        """
        return self.request('PUT', '/valueLists/{id}', {'id': id}, body=body, **options)

    def delete_value_list(self, id: Id, **options: Any) -> Any:
        """Delete a value list.

        `DELETE /valueLists/{id}`
        """
        return self.request('DELETE', '/valueLists/{id}', {'id': id}, **options)

    def list_value_list_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a value list.

        `GET /valueLists/{id}/links`
        """
        return self.request('GET', '/valueLists/{id}/links', {'id': id}, **options)

    def get_targets(self, **options: Any) -> Any:
        """List contacts, or find one by unicity or hash.

        `GET /targets`

        Query: limit, after, fields, unicity, hash.
        """
        return self.request('GET', '/targets', {}, **options)

    def create_target(self, body: Any, **options: Any) -> Any:
        """Create a contact.

        `POST /targets`

        Query: unicity.
        """
        return self.request('POST', '/targets', {}, body=body, **options)

    def update_targets(self, body: Any, **options: Any) -> Any:
        """Create or update contacts.

        `PUT /targets`

        Query: unicity.
        """
        return self.request('PUT', '/targets', {}, body=body, **options)

    def delete_targets(self, body: Any, **options: Any) -> Any:
        """Delete a selection of contacts.

        `DELETE /targets`

        Query: erase.
        """
        return self.request('DELETE', '/targets', {}, body=body, **options)

    def count_targets(self, **options: Any) -> Any:
        """Count the contacts.

        `GET /targets/count`
        """
        return self.request('GET', '/targets/count', {}, **options)

    def resolve_targets(self, body: Any, **options: Any) -> Any:
        """Find contacts by identification.

        `POST /targets/resolve`
        """
        return self.request('POST', '/targets/resolve', {}, body=body, **options)

    def get_target(self, id: Id, **options: Any) -> Any:
        """Get a contact.

        `GET /targets/{id}`

        Query: fields.
        """
        return self.request('GET', '/targets/{id}', {'id': id}, **options)

    def update_target(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a contact.

        `PUT /targets/{id}`
        """
        return self.request('PUT', '/targets/{id}', {'id': id}, body=body, **options)

    def delete_target(self, id: Id, **options: Any) -> Any:
        """Delete a contact.

        `DELETE /targets/{id}`

        Query: erase.
        """
        return self.request('DELETE', '/targets/{id}', {'id': id}, **options)

    def list_mail_red_list(self, **options: Any) -> Any:
        """List the entries of the mail suppression list.

        `GET /targets/redlist/mail`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/targets/redlist/mail', {}, **options)

    def add_target_to_mail_red_list(self, id: Id, body: Any, **options: Any) -> Any:
        """Add a contact to the mail suppression list.

        `POST /targets/{id}/redlist/mail`
        """
        return self.request('POST', '/targets/{id}/redlist/mail', {'id': id}, body=body, **options)

    def remove_target_from_mail_red_list(self, id: Id, body: Any, **options: Any) -> Any:
        """Remove a contact from the mail suppression list.

        `DELETE /targets/{id}/redlist/mail`

        Query: reason.
        """
        return self.request('DELETE', '/targets/{id}/redlist/mail', {'id': id}, body=body, **options)

    def list_sms_red_list(self, **options: Any) -> Any:
        """List the entries of the SMS suppression list.

        `GET /targets/redlist/sms`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/targets/redlist/sms', {}, **options)

    def add_target_to_sms_red_list(self, id: Id, body: Any, **options: Any) -> Any:
        """Add a contact to the SMS suppression list.

        `POST /targets/{id}/redlist/sms`
        """
        return self.request('POST', '/targets/{id}/redlist/sms', {'id': id}, body=body, **options)

    def remove_target_from_sms_red_list(self, id: Id, body: Any, **options: Any) -> Any:
        """Remove a contact from the SMS suppression list.

        `DELETE /targets/{id}/redlist/sms`

        Query: reason.
        """
        return self.request('DELETE', '/targets/{id}/redlist/sms', {'id': id}, body=body, **options)

    def list_target_bounces(self, **options: Any) -> Any:
        """Search bounce flags.

        `GET /targets/bounces`

        Query: limit, after, query, startDate, endDate.
        """
        return self.request('GET', '/targets/bounces', {}, **options)

    def set_target_bounce(self, id: Id, field_id: Id, body: Any, **options: Any) -> Any:
        """Set a bounce flag.

        `PUT /targets/{id}/bounces/{fieldId}`
        """
        return self.request('PUT', '/targets/{id}/bounces/{fieldId}', {'id': id, 'fieldId': field_id}, body=body, **options)

    def delete_target_bounce(self, id: Id, field_id: Id, **options: Any) -> Any:
        """Clear a bounce flag.

        `DELETE /targets/{id}/bounces/{fieldId}`
        """
        return self.request('DELETE', '/targets/{id}/bounces/{fieldId}', {'id': id, 'fieldId': field_id}, **options)

    def get_contact_settings(self, **options: Any) -> Any:
        """Get the contact settings.

        `GET /settings/contacts`
        """
        return self.request('GET', '/settings/contacts', {}, **options)

    def update_contact_settings(self, body: Any, **options: Any) -> Any:
        """Update the contact settings.

        `PUT /settings/contacts`
        """
        return self.request('PUT', '/settings/contacts', {}, body=body, **options)

    def search_targets(self, body: Any, **options: Any) -> Any:
        """Search contacts.

        `POST /targets/search`
        """
        return self.request('POST', '/targets/search', {}, body=body, **options)

    def search(self, **options: Any) -> Any:
        """Search all objects.

        `GET /search`

        Query: q, limit.
        """
        return self.request('GET', '/search', {}, **options)

    def preview_segment(self, body: Any, **options: Any) -> Any:
        """Preview a dynamic segment.

        `POST /segments/preview`
        """
        return self.request('POST', '/segments/preview', {}, body=body, **options)

    def get_target_growth(self, **options: Any) -> Any:
        """Get the growth of contacts.

        `GET /targets/growth`

        Query: start, end.
        """
        return self.request('GET', '/targets/growth', {}, **options)

    def get_segment_growth(self, id: Id, **options: Any) -> Any:
        """Get the growth of a segment.

        `GET /segments/{id}/growth`

        Query: start, end.
        """
        return self.request('GET', '/segments/{id}/growth', {'id': id}, **options)

    def list_segments(self, **options: Any) -> Any:
        """List the segments.

        `GET /segments`

        Query: limit, after.
        """
        return self.request('GET', '/segments', {}, **options)

    def create_segment(self, body: Any, **options: Any) -> Any:
        """Create a segment.

        `POST /segments`
        """
        return self.request('POST', '/segments', {}, body=body, **options)

    def get_segment(self, id: Id, **options: Any) -> Any:
        """Get a segment.

        `GET /segments/{id}`
        """
        return self.request('GET', '/segments/{id}', {'id': id}, **options)

    def update_segment(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a segment.

        `PUT /segments/{id}`
        """
        return self.request('PUT', '/segments/{id}', {'id': id}, body=body, **options)

    def delete_segment(self, id: Id, **options: Any) -> Any:
        """Delete a segment.

        `DELETE /segments/{id}`
        """
        return self.request('DELETE', '/segments/{id}', {'id': id}, **options)

    def list_segment_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a segment.

        `GET /segments/{id}/links`
        """
        return self.request('GET', '/segments/{id}/links', {'id': id}, **options)

    def list_segment_targets(self, id: Id, **options: Any) -> Any:
        """List the contacts of a segment.

        `GET /segments/{id}/targets`

        Query: limit, after.
        """
        return self.request('GET', '/segments/{id}/targets', {'id': id}, **options)

    def add_segment_targets(self, id: Id, body: Any, **options: Any) -> Any:
        """Add contacts to a static segment.

        `PUT /segments/{id}/targets`
        """
        return self.request('PUT', '/segments/{id}/targets', {'id': id}, body=body, **options)

    def remove_segment_targets(self, id: Id, body: Any, **options: Any) -> Any:
        """Remove contacts from a static segment.

        `DELETE /segments/{id}/targets`
        """
        return self.request('DELETE', '/segments/{id}/targets', {'id': id}, body=body, **options)

    def add_segment_target(self, id: Id, target: Id, **options: Any) -> Any:
        """Add a contact to a static segment.

        `POST /segments/{id}/targets/{target}`
        """
        return self.request('POST', '/segments/{id}/targets/{target}', {'id': id, 'target': target}, **options)

    def list_target_segments(self, id: Id, **options: Any) -> Any:
        """List the segments of a contact.

        `GET /targets/{id}/segments`

        Query: type.
        """
        return self.request('GET', '/targets/{id}/segments', {'id': id}, **options)

    def add_target_to_segment(self, target_id: Id, segment_id: Id, **options: Any) -> Any:
        """Make a contact a member of a segment.

        `POST /targets/{targetId}/segments/{segmentId}`
        """
        return self.request('POST', '/targets/{targetId}/segments/{segmentId}', {'targetId': target_id, 'segmentId': segment_id}, **options)

    def remove_target_from_segment(self, target_id: Id, segment_id: Id, **options: Any) -> Any:
        """Remove a contact from a static segment.

        `DELETE /targets/{targetId}/segments/{segmentId}`
        """
        return self.request('DELETE', '/targets/{targetId}/segments/{segmentId}', {'targetId': target_id, 'segmentId': segment_id}, **options)

    def normalize_segment(self, id: Id, body: Any, **options: Any) -> Any:
        """Normalize the phone numbers of a segment.

        `POST /segments/{id}/normalization`
        """
        return self.request('POST', '/segments/{id}/normalization', {'id': id}, body=body, **options)

    def get_import_executions(self, id: Id, **options: Any) -> Any:
        """Get the last run of an import, or list all.

        `GET /imports/{id}/executions`

        Query: limit, after, dryRun.
        """
        return self.request('GET', '/imports/{id}/executions', {'id': id}, **options)

    def execute_import(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Run an import.

        `POST /imports/{id}/executions`

        Query: dryRun.
        """
        return self.request('POST', '/imports/{id}/executions', {'id': id}, body=body, **options)

    def get_import_execution(self, id: Id, execution: Id, **options: Any) -> Any:
        """Get an execution of an import.

        `GET /imports/{id}/executions/{execution}`
        """
        return self.request('GET', '/imports/{id}/executions/{execution}', {'id': id, 'execution': execution}, **options)

    def cancel_import_execution(self, id: Id, execution: Id, **options: Any) -> Any:
        """Cancel an execution of an import.

        `DELETE /imports/{id}/executions/{execution}`
        """
        return self.request('DELETE', '/imports/{id}/executions/{execution}', {'id': id, 'execution': execution}, **options)

    def list_import_execution_rejects(self, id: Id, execution: Id, **options: Any) -> Any:
        """Download the rejected lines of an execution.

        `GET /imports/{id}/executions/{execution}/rejects`
        """
        return self.request('GET', '/imports/{id}/executions/{execution}/rejects', {'id': id, 'execution': execution}, **options)

    def list_import_formats(self, **options: Any) -> Any:
        """List the import formats.

        `GET /importFormats`

        Query: limit, after.
        """
        return self.request('GET', '/importFormats', {}, **options)

    def create_import_format(self, body: Any, **options: Any) -> Any:
        """Create an import format.

        `POST /importFormats`
        """
        return self.request('POST', '/importFormats', {}, body=body, **options)

    def get_import_format(self, id: Id, **options: Any) -> Any:
        """Get an import format.

        `GET /importFormats/{id}`
        """
        return self.request('GET', '/importFormats/{id}', {'id': id}, **options)

    def update_import_format(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an import format.

        `PUT /importFormats/{id}`
        """
        return self.request('PUT', '/importFormats/{id}', {'id': id}, body=body, **options)

    def delete_import_format(self, id: Id, **options: Any) -> Any:
        """Delete an import format.

        `DELETE /importFormats/{id}`
        """
        return self.request('DELETE', '/importFormats/{id}', {'id': id}, **options)

    def preview_import_source(self, id: Id, **options: Any) -> Any:
        """Preview the last file of an import.

        `GET /imports/{id}/source/preview`

        Query: encoding, sheet.
        """
        return self.request('GET', '/imports/{id}/source/preview', {'id': id}, **options)

    def get_drop_place(self, **options: Any) -> Any:
        """Get the drop place.

        `GET /settings/dropPlace`
        """
        return self.request('GET', '/settings/dropPlace', {}, **options)

    def list_categories(self, **options: Any) -> Any:
        """List the categories.

        `GET /categories`

        Query: limit, after.
        """
        return self.request('GET', '/categories', {}, **options)

    def create_category(self, body: Any, **options: Any) -> Any:
        """Create a category.

        `POST /categories`
        """
        return self.request('POST', '/categories', {}, body=body, **options)

    def get_category(self, id: Id, **options: Any) -> Any:
        """Get a category.

        `GET /categories/{id}`
        """
        return self.request('GET', '/categories/{id}', {'id': id}, **options)

    def update_category(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a category.

        `PUT /categories/{id}`
        """
        return self.request('PUT', '/categories/{id}', {'id': id}, body=body, **options)

    def delete_category(self, id: Id, **options: Any) -> Any:
        """Delete a category.

        `DELETE /categories/{id}`
        """
        return self.request('DELETE', '/categories/{id}', {'id': id}, **options)

    def list_forms(self, **options: Any) -> Any:
        """List the forms.

        `GET /forms`

        Query: limit, after.
        """
        return self.request('GET', '/forms', {}, **options)

    def create_form(self, body: Any, **options: Any) -> Any:
        """Create a form.

        `POST /forms`
        """
        return self.request('POST', '/forms', {}, body=body, **options)

    def get_form(self, id: Id, **options: Any) -> Any:
        """Get a form.

        `GET /forms/{id}`
        """
        return self.request('GET', '/forms/{id}', {'id': id}, **options)

    def update_form(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a form.

        `PUT /forms/{id}`
        """
        return self.request('PUT', '/forms/{id}', {'id': id}, body=body, **options)

    def delete_form(self, id: Id, **options: Any) -> Any:
        """Delete a form.

        `DELETE /forms/{id}`
        """
        return self.request('DELETE', '/forms/{id}', {'id': id}, **options)

    def list_form_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a form.

        `GET /forms/{id}/links`
        """
        return self.request('GET', '/forms/{id}/links', {'id': id}, **options)

    def list_campaigns(self, **options: Any) -> Any:
        """List the campaigns.

        `GET /campaigns`

        Query: limit, after.
        """
        return self.request('GET', '/campaigns', {}, **options)

    def create_campaign(self, body: Any, **options: Any) -> Any:
        """Create a campaign.

        `POST /campaigns`
        """
        return self.request('POST', '/campaigns', {}, body=body, **options)

    def get_campaign(self, id: Id, **options: Any) -> Any:
        """Get a campaign.

        `GET /campaigns/{id}`
        """
        return self.request('GET', '/campaigns/{id}', {'id': id}, **options)

    def update_campaign(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a campaign.

        `PUT /campaigns/{id}`
        """
        return self.request('PUT', '/campaigns/{id}', {'id': id}, body=body, **options)

    def delete_campaign(self, id: Id, **options: Any) -> Any:
        """Delete a campaign.

        `DELETE /campaigns/{id}`
        """
        return self.request('DELETE', '/campaigns/{id}', {'id': id}, **options)

    def add_campaign_items(self, id: Id, body: Any, **options: Any) -> Any:
        """Add items to a campaign.

        `POST /campaigns/{id}/items`
        """
        return self.request('POST', '/campaigns/{id}/items', {'id': id}, body=body, **options)

    def remove_campaign_item(self, id: Id, type: Id, item: Id, **options: Any) -> Any:
        """Remove an item from a campaign.

        `DELETE /campaigns/{id}/items/{type}/{item}`
        """
        return self.request('DELETE', '/campaigns/{id}/items/{type}/{item}', {'id': id, 'type': type, 'item': item}, **options)

    def list_campaign_events(self, id: Id, **options: Any) -> Any:
        """List the events of a campaign.

        `GET /campaigns/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/campaigns/{id}/events', {'id': id}, **options)

    def search_campaign_events(self, id: Id, body: Any, **options: Any) -> Any:
        """Search the events of a campaign.

        `POST /campaigns/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('POST', '/campaigns/{id}/events', {'id': id}, body=body, **options)

    def list_captured_messages(self, **options: Any) -> Any:
        """List the captured messages.

        `GET /captured`
        """
        return self.request('GET', '/captured', {}, **options)

    def get_captured_message(self, id: Id, **options: Any) -> Any:
        """Get a captured message.

        `GET /captured/{id}`
        """
        return self.request('GET', '/captured/{id}', {'id': id}, **options)

    def list_rcs_profiles(self, **options: Any) -> Any:
        """List the RCS profiles.

        `GET /channel/rcs/profiles`

        Query: limit, after, active.
        """
        return self.request('GET', '/channel/rcs/profiles', {}, **options)

    def create_rcs_profile(self, body: Any, **options: Any) -> Any:
        """Create an RCS profile.

        `POST /channel/rcs/profiles`
        """
        return self.request('POST', '/channel/rcs/profiles', {}, body=body, **options)

    def get_rcs_profile(self, id: Id, **options: Any) -> Any:
        """Get an RCS profile.

        `GET /channel/rcs/profiles/{id}`
        """
        return self.request('GET', '/channel/rcs/profiles/{id}', {'id': id}, **options)

    def update_rcs_profile(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an RCS profile.

        `PUT /channel/rcs/profiles/{id}`
        """
        return self.request('PUT', '/channel/rcs/profiles/{id}', {'id': id}, body=body, **options)

    def delete_rcs_profile(self, id: Id, **options: Any) -> Any:
        """Delete an RCS profile.

        `DELETE /channel/rcs/profiles/{id}`
        """
        return self.request('DELETE', '/channel/rcs/profiles/{id}', {'id': id}, **options)

    def renew_rcs_profile_token(self, id: Id, **options: Any) -> Any:
        """Renew the webhook address of an RCS profile.

        `POST /channel/rcs/profiles/{id}/token`
        """
        return self.request('POST', '/channel/rcs/profiles/{id}/token', {'id': id}, **options)

    def get_rcs_profile_capabilities(self, id: Id, **options: Any) -> Any:
        """Check the RCS capabilities of a phone.

        `GET /channel/rcs/profiles/{id}/capabilities`

        Query: phone.
        """
        return self.request('GET', '/channel/rcs/profiles/{id}/capabilities', {'id': id}, **options)

    def list_applications(self, **options: Any) -> Any:
        """List the applications.

        `GET /parameters/applications`

        Query: limit, after.
        """
        return self.request('GET', '/parameters/applications', {}, **options)

    def create_application(self, body: Any, **options: Any) -> Any:
        """Create an application.

        `POST /parameters/applications`
        """
        return self.request('POST', '/parameters/applications', {}, body=body, **options)

    def get_application(self, id: Id, **options: Any) -> Any:
        """Get an application.

        `GET /parameters/applications/{id}`
        """
        return self.request('GET', '/parameters/applications/{id}', {'id': id}, **options)

    def update_application(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an application.

        `PUT /parameters/applications/{id}`
        """
        return self.request('PUT', '/parameters/applications/{id}', {'id': id}, body=body, **options)

    def delete_application(self, id: Id, **options: Any) -> Any:
        """Delete an application.

        `DELETE /parameters/applications/{id}`
        """
        return self.request('DELETE', '/parameters/applications/{id}', {'id': id}, **options)

    def activate_application(self, id: Id, **options: Any) -> Any:
        """Activate an application.

        `POST /parameters/applications/{id}/activation`
        """
        return self.request('POST', '/parameters/applications/{id}/activation', {'id': id}, **options)

    def deactivate_application(self, id: Id, **options: Any) -> Any:
        """Deactivate an application.

        `DELETE /parameters/applications/{id}/activation`
        """
        return self.request('DELETE', '/parameters/applications/{id}/activation', {'id': id}, **options)

    def put_subscription(self, body: Any, **options: Any) -> Any:
        """Create or update a subscription.

        `PUT /subscriptions`
        """
        return self.request('PUT', '/subscriptions', {}, body=body, **options)

    def get_subscription(self, id: Id, **options: Any) -> Any:
        """Get a subscription.

        `GET /subscriptions/{id}`
        """
        return self.request('GET', '/subscriptions/{id}', {'id': id}, **options)

    def delete_subscription(self, id: Id, **options: Any) -> Any:
        """Delete a subscription.

        `DELETE /subscriptions/{id}`
        """
        return self.request('DELETE', '/subscriptions/{id}', {'id': id}, **options)

    def list_target_subscriptions(self, id: Id, **options: Any) -> Any:
        """List the subscriptions of a contact.

        `GET /targets/{id}/subscriptions`
        """
        return self.request('GET', '/targets/{id}/subscriptions', {'id': id}, **options)

    def delete_target_subscriptions(self, id: Id, **options: Any) -> Any:
        """Delete the subscriptions of a contact.

        `DELETE /targets/{id}/subscriptions`
        """
        return self.request('DELETE', '/targets/{id}/subscriptions', {'id': id}, **options)

    def list_target_subscriptions_by_query(self, **options: Any) -> Any:
        """List the subscriptions of an identified contact.

        `GET /targets/subscriptions`

        Query: unicity, hash.
        """
        return self.request('GET', '/targets/subscriptions', {}, **options)

    def delete_target_subscriptions_by_query(self, **options: Any) -> Any:
        """Delete the subscriptions of an identified contact.

        `DELETE /targets/subscriptions`

        Query: unicity, hash.
        """
        return self.request('DELETE', '/targets/subscriptions', {}, **options)

    def count_application_subscriptions(self, **options: Any) -> Any:
        """Count the subscriptions of all applications.

        `GET /parameters/applications/subscriptions`
        """
        return self.request('GET', '/parameters/applications/subscriptions', {}, **options)

    def list_pressure_topic_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a pressure topic.

        `GET /marketing/pressure/topics/{id}/links`
        """
        return self.request('GET', '/marketing/pressure/topics/{id}/links', {'id': id}, **options)

    def list_pressure_topics(self, **options: Any) -> Any:
        """List the pressure topics.

        `GET /marketing/pressure/topics`

        Query: limit, after.
        """
        return self.request('GET', '/marketing/pressure/topics', {}, **options)

    def create_pressure_topic(self, body: Any, **options: Any) -> Any:
        """Create a pressure topic.

        `POST /marketing/pressure/topics`
        """
        return self.request('POST', '/marketing/pressure/topics', {}, body=body, **options)

    def get_pressure_topic(self, id: Id, **options: Any) -> Any:
        """Get a pressure topic.

        `GET /marketing/pressure/topics/{id}`
        """
        return self.request('GET', '/marketing/pressure/topics/{id}', {'id': id}, **options)

    def delete_pressure_topic(self, id: Id, **options: Any) -> Any:
        """Delete a pressure topic.

        `DELETE /marketing/pressure/topics/{id}`
        """
        return self.request('DELETE', '/marketing/pressure/topics/{id}', {'id': id}, **options)

    def update_pressure_topic(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a pressure topic.

        `PUT /marketing/pressure/topics/{id}`
        """
        return self.request('PUT', '/marketing/pressure/topics/{id}', {'id': id}, body=body, **options)

    def list_pressure_rules(self, **options: Any) -> Any:
        """List the pressure rules.

        `GET /marketing/pressure/rules`

        Query: limit, after.
        """
        return self.request('GET', '/marketing/pressure/rules', {}, **options)

    def create_pressure_rule(self, body: Any, **options: Any) -> Any:
        """Create a pressure rule.

        `POST /marketing/pressure/rules`
        """
        return self.request('POST', '/marketing/pressure/rules', {}, body=body, **options)

    def get_pressure_rule(self, id: Id, **options: Any) -> Any:
        """Get a pressure rule.

        `GET /marketing/pressure/rules/{id}`
        """
        return self.request('GET', '/marketing/pressure/rules/{id}', {'id': id}, **options)

    def delete_pressure_rule(self, id: Id, **options: Any) -> Any:
        """Delete a pressure rule.

        `DELETE /marketing/pressure/rules/{id}`
        """
        return self.request('DELETE', '/marketing/pressure/rules/{id}', {'id': id}, **options)

    def update_pressure_rule(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a pressure rule.

        `PUT /marketing/pressure/rules/{id}`
        """
        return self.request('PUT', '/marketing/pressure/rules/{id}', {'id': id}, body=body, **options)

    def get_pressure_topic_settings(self, **options: Any) -> Any:
        """Get the pressure topic setting.

        `GET /settings/marketing/pressure/topic`
        """
        return self.request('GET', '/settings/marketing/pressure/topic', {}, **options)

    def update_pressure_topic_settings(self, body: Any, **options: Any) -> Any:
        """Update the pressure topic setting.

        `PUT /settings/marketing/pressure/topic`
        """
        return self.request('PUT', '/settings/marketing/pressure/topic', {}, body=body, **options)

    def get_pressure_settings(self, **options: Any) -> Any:
        """Get the pressure settings.

        `GET /settings/marketing/pressure`
        """
        return self.request('GET', '/settings/marketing/pressure', {}, **options)

    def update_pressure_settings(self, body: Any, **options: Any) -> Any:
        """Update the pressure settings.

        `PUT /settings/marketing/pressure`
        """
        return self.request('PUT', '/settings/marketing/pressure', {}, body=body, **options)

    def get_target_pressure(self, id: Id, **options: Any) -> Any:
        """Get the pressure on a contact.

        `GET /targets/{id}/pressure`
        """
        return self.request('GET', '/targets/{id}/pressure', {'id': id}, **options)

    def list_pressure_limited_targets(self, **options: Any) -> Any:
        """List the contacts at a limit.

        `GET /marketing/pressure/limited`

        Query: channel, purpose, topic, priority, rule, limit, after, at.
        """
        return self.request('GET', '/marketing/pressure/limited', {}, **options)

    def backtest_pressure_rule(self, body: Any, **options: Any) -> Any:
        """Backtest a pressure rule.

        `POST /marketing/pressure/backtest`
        """
        return self.request('POST', '/marketing/pressure/backtest', {}, body=body, **options)

    def list_rcs_actions(self, **options: Any) -> Any:
        """List the RCS actions.

        `GET /channel/rcs/actions`

        Query: limit, after, creation_start, creation_end, category, campaign, name, report, state, sort, type.
        """
        return self.request('GET', '/channel/rcs/actions', {}, **options)

    def create_rcs_action(self, body: Any, **options: Any) -> Any:
        """Create an RCS action.

        `POST /channel/rcs/actions`
        """
        return self.request('POST', '/channel/rcs/actions', {}, body=body, **options)

    def get_rcs_action(self, id: Id, **options: Any) -> Any:
        """Get an RCS action.

        `GET /channel/rcs/actions/{id}`
        """
        return self.request('GET', '/channel/rcs/actions/{id}', {'id': id}, **options)

    def delete_rcs_action(self, id: Id, **options: Any) -> Any:
        """Delete an RCS action.

        `DELETE /channel/rcs/actions/{id}`
        """
        return self.request('DELETE', '/channel/rcs/actions/{id}', {'id': id}, **options)

    def update_rcs_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an RCS action.

        `PUT /channel/rcs/actions/{id}`
        """
        return self.request('PUT', '/channel/rcs/actions/{id}', {'id': id}, body=body, **options)

    def patch_rcs_action(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch an RCS action.

        `PATCH /channel/rcs/actions/{id}`
        """
        return self.request('PATCH', '/channel/rcs/actions/{id}', {'id': id}, body=body, **options)

    def duplicate_rcs_action(self, id: Id, **options: Any) -> Any:
        """Duplicate an RCS action.

        `POST /channel/rcs/actions/{id}/duplication`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/duplication', {'id': id}, **options)

    def validate_rcs_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Validate an RCS action.

        `POST /channel/rcs/actions/{id}/validation`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/validation', {'id': id}, body=body, **options)

    def unvalidate_rcs_action(self, id: Id, **options: Any) -> Any:
        """Cancel the validation of an RCS action.

        `DELETE /channel/rcs/actions/{id}/validation`
        """
        return self.request('DELETE', '/channel/rcs/actions/{id}/validation', {'id': id}, **options)

    def pause_rcs_action(self, id: Id, **options: Any) -> Any:
        """Pause an RCS campaign.

        `POST /channel/rcs/actions/{id}/pause`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/pause', {'id': id}, **options)

    def resume_rcs_action(self, id: Id, **options: Any) -> Any:
        """Resume a paused RCS campaign.

        `DELETE /channel/rcs/actions/{id}/pause`
        """
        return self.request('DELETE', '/channel/rcs/actions/{id}/pause', {'id': id}, **options)

    def execute_rcs_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Send an RCS message to one contact.

        `POST /channel/rcs/actions/{id}/execution`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/execution', {'id': id}, body=body, **options)

    def execute_rcs_action_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Send an RCS message to many contacts.

        `POST /channel/rcs/actions/{id}/executions`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/executions', {'id': id}, body=body, **options)

    def send_rcs_action_proofs(self, id: Id, body: Any, **options: Any) -> Any:
        """Send proofs of an RCS action.

        `POST /channel/rcs/actions/{id}/proof`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/proof', {'id': id}, body=body, **options)

    def render_rcs_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Render an RCS message.

        `POST /channel/rcs/actions/{id}/render`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/render', {'id': id}, body=body, **options)

    def render_rcs_action_for_contact(self, id: Id, contact: Id, **options: Any) -> Any:
        """Render an RCS message for a contact.

        `GET /channel/rcs/actions/{id}/render/contact/{contact}`
        """
        return self.request('GET', '/channel/rcs/actions/{id}/render/contact/{contact}', {'id': id, 'contact': contact}, **options)

    def render_rcs_action_for_contact_by_query(self, id: Id, **options: Any) -> Any:
        """Render an RCS message by unicity or hash.

        `GET /channel/rcs/actions/{id}/render/contact`

        Query: unicity, hash.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/render/contact', {'id': id}, **options)

    def create_notification(self, body: Any, **options: Any) -> Any:
        """Create a notification.

        `POST /notifications`
        """
        return self.request('POST', '/notifications', {}, body=body, **options)

    def list_notifications(self, **options: Any) -> Any:
        """List the notifications.

        `GET /notifications`

        Query: limit, after, active, state, creation_start, creation_end, campaign, name, report, sort.
        """
        return self.request('GET', '/notifications', {}, **options)

    def get_notification(self, id: Id, **options: Any) -> Any:
        """Get a notification.

        `GET /notifications/{id}`
        """
        return self.request('GET', '/notifications/{id}', {'id': id}, **options)

    def update_notification(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a notification.

        `PUT /notifications/{id}`
        """
        return self.request('PUT', '/notifications/{id}', {'id': id}, body=body, **options)

    def delete_notification(self, id: Id, **options: Any) -> Any:
        """Delete a notification.

        `DELETE /notifications/{id}`
        """
        return self.request('DELETE', '/notifications/{id}', {'id': id}, **options)

    def duplicate_notification(self, id: Id, **options: Any) -> Any:
        """Duplicate a notification.

        `POST /notifications/{id}/duplication`
        """
        return self.request('POST', '/notifications/{id}/duplication', {'id': id}, **options)

    def activate_notification(self, id: Id, **options: Any) -> Any:
        """Activate a notification.

        `POST /notifications/{id}/activation`
        """
        return self.request('POST', '/notifications/{id}/activation', {'id': id}, **options)

    def deactivate_notification(self, id: Id, **options: Any) -> Any:
        """Deactivate a notification.

        `DELETE /notifications/{id}/activation`
        """
        return self.request('DELETE', '/notifications/{id}/activation', {'id': id}, **options)

    def render_notification(self, id: Id, body: Any, **options: Any) -> Any:
        """Render the master version of a notification.

        `POST /notifications/{id}/render`
        """
        return self.request('POST', '/notifications/{id}/render', {'id': id}, body=body, **options)

    def render_notification_for_contact(self, id: Id, contact: Id, **options: Any) -> Any:
        """Render the master version of a notification for a contact.

        `GET /notifications/{id}/render/contact/{contact}`
        """
        return self.request('GET', '/notifications/{id}/render/contact/{contact}', {'id': id, 'contact': contact}, **options)

    def render_notification_for_contact_by_query(self, id: Id, **options: Any) -> Any:
        """Render the master version of a notification for an identified contact.

        `GET /notifications/{id}/render/contact`

        Query: unicity, hash.
        """
        return self.request('GET', '/notifications/{id}/render/contact', {'id': id}, **options)

    def render_notification_version(self, id: Id, version: Id, body: Any, **options: Any) -> Any:
        """Render a version of a notification.

        `POST /notifications/{id}/versions/{version}/render`
        """
        return self.request('POST', '/notifications/{id}/versions/{version}/render', {'id': id, 'version': version}, body=body, **options)

    def render_notification_version_for_contact(self, id: Id, version: Id, contact: Id, **options: Any) -> Any:
        """Render a version of a notification for a contact.

        `GET /notifications/{id}/versions/{version}/render/contact/{contact}`
        """
        return self.request('GET', '/notifications/{id}/versions/{version}/render/contact/{contact}', {'id': id, 'version': version, 'contact': contact}, **options)

    def render_notification_version_for_contact_by_query(self, id: Id, version: Id, **options: Any) -> Any:
        """Render a version of a notification for an identified contact.

        `GET /notifications/{id}/versions/{version}/render/contact`

        Query: unicity, hash.
        """
        return self.request('GET', '/notifications/{id}/versions/{version}/render/contact', {'id': id, 'version': version}, **options)

    def execute_notification(self, id: Id, body: Any, **options: Any) -> Any:
        """Send a notification.

        `POST /notifications/{id}/execution`
        """
        return self.request('POST', '/notifications/{id}/execution', {'id': id}, body=body, **options)

    def execute_notification_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Send a notification to many recipients.

        `POST /notifications/{id}/executions`
        """
        return self.request('POST', '/notifications/{id}/executions', {'id': id}, body=body, **options)

    def test_notification(self, id: Id, body: Any, **options: Any) -> Any:
        """Send a test of a notification.

        `POST /notifications/{id}/test`
        """
        return self.request('POST', '/notifications/{id}/test', {'id': id}, body=body, **options)

    def test_notification_version(self, id: Id, version: Id, body: Any, **options: Any) -> Any:
        """Send a test of a notification version.

        `POST /notifications/{id}/versions/{version}/test`
        """
        return self.request('POST', '/notifications/{id}/versions/{version}/test', {'id': id, 'version': version}, body=body, **options)

    def list_target_notifications(self, id: Id, **options: Any) -> Any:
        """List the notifications of a contact.

        `GET /targets/{id}/notifications`

        Query: start, end, startDate, endDate, sort, application, limit, after.
        """
        return self.request('GET', '/targets/{id}/notifications', {'id': id}, **options)

    def get_sending_settings(self, **options: Any) -> Any:
        """Get the sending settings.

        `GET /settings/sending`
        """
        return self.request('GET', '/settings/sending', {}, **options)

    def update_sending_settings(self, body: Any, **options: Any) -> Any:
        """Update the sending settings.

        `PUT /settings/sending`
        """
        return self.request('PUT', '/settings/sending', {}, body=body, **options)

    def get_people_settings(self, **options: Any) -> Any:
        """Get the user settings.

        `GET /settings/people`
        """
        return self.request('GET', '/settings/people', {}, **options)

    def update_people_settings(self, body: Any, **options: Any) -> Any:
        """Update the user settings.

        `PUT /settings/people`
        """
        return self.request('PUT', '/settings/people', {}, body=body, **options)

    def send_test_message(self, body: Any, **options: Any) -> Any:
        """Send a test message.

        `POST /settings/sending/test`
        """
        return self.request('POST', '/settings/sending/test', {}, body=body, **options)

    def list_domains(self, **options: Any) -> Any:
        """List the sending domains.

        `GET /domains`
        """
        return self.request('GET', '/domains', {}, **options)

    def create_domain(self, body: Any, **options: Any) -> Any:
        """Add a sending domain.

        `POST /domains`
        """
        return self.request('POST', '/domains', {}, body=body, **options)

    def get_domain(self, name: Id, **options: Any) -> Any:
        """Get a sending domain.

        `GET /domains/{name}`
        """
        return self.request('GET', '/domains/{name}', {'name': name}, **options)

    def delete_domain(self, name: Id, **options: Any) -> Any:
        """Delete a sending domain.

        `DELETE /domains/{name}`
        """
        return self.request('DELETE', '/domains/{name}', {'name': name}, **options)

    def check_domain(self, name: Id, **options: Any) -> Any:
        """Check the DNS records of a domain.

        `POST /domains/{name}/check`
        """
        return self.request('POST', '/domains/{name}/check', {'name': name}, **options)

    def list_gateways(self, **options: Any) -> Any:
        """List the gateways of the account.

        `GET /gateways`
        """
        return self.request('GET', '/gateways', {}, **options)

    def create_gateway(self, body: Any, **options: Any) -> Any:
        """Create a gateway.

        `POST /gateways`
        """
        return self.request('POST', '/gateways', {}, body=body, **options)

    def list_gateway_kinds(self, **options: Any) -> Any:
        """List the kinds of gateways.

        `GET /gateways/kinds`
        """
        return self.request('GET', '/gateways/kinds', {}, **options)

    def get_gateway(self, id: Id, **options: Any) -> Any:
        """Get a gateway.

        `GET /gateways/{id}`
        """
        return self.request('GET', '/gateways/{id}', {'id': id}, **options)

    def update_gateway(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a gateway.

        `PUT /gateways/{id}`
        """
        return self.request('PUT', '/gateways/{id}', {'id': id}, body=body, **options)

    def delete_gateway(self, id: Id, **options: Any) -> Any:
        """Delete a gateway.

        `DELETE /gateways/{id}`
        """
        return self.request('DELETE', '/gateways/{id}', {'id': id}, **options)

    def test_gateway(self, id: Id, **options: Any) -> Any:
        """Test a gateway.

        `POST /gateways/{id}/test`
        """
        return self.request('POST', '/gateways/{id}/test', {'id': id}, **options)

    def list_sending_queues(self, **options: Any) -> Any:
        """List the sending queues.

        `GET /settings/sending/queues`
        """
        return self.request('GET', '/settings/sending/queues', {}, **options)

    def control_sending_queue(self, destination: Id, body: Any, **options: Any) -> Any:
        """Control the queue of a destination.

        `POST /settings/sending/queues/{destination}`
        """
        return self.request('POST', '/settings/sending/queues/{destination}', {'destination': destination}, body=body, **options)

    def get_deliverability(self, **options: Any) -> Any:
        """Get the deliverability report.

        `GET /deliverability`

        Query: start, end.
        """
        return self.request('GET', '/deliverability', {}, **options)

    def list_designs(self, **options: Any) -> Any:
        """List the saved designs.

        `GET /designs`

        Query: limit, after.
        """
        return self.request('GET', '/designs', {}, **options)

    def create_design(self, body: Any, **options: Any) -> Any:
        """Create a saved design.

        `POST /designs`
        """
        return self.request('POST', '/designs', {}, body=body, **options)

    def get_design(self, id: Id, **options: Any) -> Any:
        """Get a saved design.

        `GET /designs/{id}`
        """
        return self.request('GET', '/designs/{id}', {'id': id}, **options)

    def update_design(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a saved design.

        `PUT /designs/{id}`
        """
        return self.request('PUT', '/designs/{id}', {'id': id}, body=body, **options)

    def delete_design(self, id: Id, **options: Any) -> Any:
        """Delete a saved design.

        `DELETE /designs/{id}`
        """
        return self.request('DELETE', '/designs/{id}', {'id': id}, **options)

    def list_design_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a saved design.

        `GET /designs/{id}/links`
        """
        return self.request('GET', '/designs/{id}/links', {'id': id}, **options)

    def list_library_designs(self, **options: Any) -> Any:
        """List the library designs.

        `GET /designs/library`

        Query: language.
        """
        return self.request('GET', '/designs/library', {}, **options)

    def render_design(self, body: Any, **options: Any) -> Any:
        """Render a design or MJML.

        `POST /designs/render`
        """
        return self.request('POST', '/designs/render', {}, body=body, **options)

    def list_media(self, **options: Any) -> Any:
        """List the media files.

        `GET /media`

        Query: limit, after, q, type, newest.
        """
        return self.request('GET', '/media', {}, **options)

    def upload_media(self, body: Any = None, **options: Any) -> Any:
        """Upload a media file.

        `POST /media`

        Query: name.
        """
        return self.request('POST', '/media', {}, body=body, **options)

    def get_media(self, id: Id, **options: Any) -> Any:
        """Get a media file.

        `GET /media/{id}`
        """
        return self.request('GET', '/media/{id}', {'id': id}, **options)

    def delete_media(self, id: Id, **options: Any) -> Any:
        """Delete a media file.

        `DELETE /media/{id}`

        Query: force.
        """
        return self.request('DELETE', '/media/{id}', {'id': id}, **options)

    def list_media_links(self, id: Id, **options: Any) -> Any:
        """List the uses of a media file.

        `GET /media/{id}/links`
        """
        return self.request('GET', '/media/{id}/links', {'id': id}, **options)

    def list_held_messages(self, **options: Any) -> Any:
        """List the held messages.

        `GET /settings/sending/held`

        Query: limit, after, action.
        """
        return self.request('GET', '/settings/sending/held', {}, **options)

    def release_held_messages(self, body: Any, **options: Any) -> Any:
        """Send or drop held messages.

        `POST /settings/sending/held/release`
        """
        return self.request('POST', '/settings/sending/held/release', {}, body=body, **options)

    def get_action_report(self, id: Id, **options: Any) -> Any:
        """Get the report of an action.

        `GET /actions/{id}/report`

        Query: start, end.
        """
        return self.request('GET', '/actions/{id}/report', {'id': id}, **options)

    def list_action_report_contacts(self, id: Id, **options: Any) -> Any:
        """List the contacts behind the report of an action.

        `GET /actions/{id}/report/contacts`

        Query: of, start, end, limit, after.
        """
        return self.request('GET', '/actions/{id}/report/contacts', {'id': id}, **options)

    def get_rcs_action_report(self, id: Id, **options: Any) -> Any:
        """Get the report of an RCS action.

        `GET /channel/rcs/actions/{id}/report`

        Query: start, end.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/report', {'id': id}, **options)

    def list_rcs_action_report_contacts(self, id: Id, **options: Any) -> Any:
        """List the contacts behind the report of an RCS action.

        `GET /channel/rcs/actions/{id}/report/contacts`

        Query: of, start, end, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/report/contacts', {'id': id}, **options)

    def get_notification_report(self, id: Id, **options: Any) -> Any:
        """Get the report of a notification.

        `GET /notifications/{id}/report`

        Query: start, end.
        """
        return self.request('GET', '/notifications/{id}/report', {'id': id}, **options)

    def list_notification_report_contacts(self, id: Id, **options: Any) -> Any:
        """List the contacts behind the report of a notification.

        `GET /notifications/{id}/report/contacts`

        Query: of, start, end, limit, after.
        """
        return self.request('GET', '/notifications/{id}/report/contacts', {'id': id}, **options)

    def create_action(self, body: Any, **options: Any) -> Any:
        """Create an action.

        `POST /actions`
        """
        return self.request('POST', '/actions', {}, body=body, **options)

    def list_actions(self, **options: Any) -> Any:
        """List the actions.

        `GET /actions`

        Query: limit, after, creation_start, creation_end, category, campaign, name, report, state, sort, type.
        """
        return self.request('GET', '/actions', {}, **options)

    def get_action(self, id: Id, **options: Any) -> Any:
        """Get an action.

        `GET /actions/{id}`
        """
        return self.request('GET', '/actions/{id}', {'id': id}, **options)

    def update_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an action.

        `PUT /actions/{id}`
        """
        return self.request('PUT', '/actions/{id}', {'id': id}, body=body, **options)

    def delete_action(self, id: Id, **options: Any) -> Any:
        """Delete an action.

        `DELETE /actions/{id}`
        """
        return self.request('DELETE', '/actions/{id}', {'id': id}, **options)

    def duplicate_action(self, id: Id, **options: Any) -> Any:
        """Duplicate an action.

        `POST /actions/{id}/duplication`

        Query: type, folder.
        """
        return self.request('POST', '/actions/{id}/duplication', {'id': id}, **options)

    def validate_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Test or validate an action.

        `POST /actions/{id}/validation`
        """
        return self.request('POST', '/actions/{id}/validation', {'id': id}, body=body, **options)

    def unvalidate_action(self, id: Id, **options: Any) -> Any:
        """Cancel the validation of an action.

        `DELETE /actions/{id}/validation`
        """
        return self.request('DELETE', '/actions/{id}/validation', {'id': id}, **options)

    def pause_action(self, id: Id, **options: Any) -> Any:
        """Pause a campaign.

        `POST /actions/{id}/pause`
        """
        return self.request('POST', '/actions/{id}/pause', {'id': id}, **options)

    def resume_action(self, id: Id, **options: Any) -> Any:
        """Resume a paused campaign.

        `DELETE /actions/{id}/pause`
        """
        return self.request('DELETE', '/actions/{id}/pause', {'id': id}, **options)

    def execute_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Send a message to one contact.

        `POST /actions/{id}/execution`
        """
        return self.request('POST', '/actions/{id}/execution', {'id': id}, body=body, **options)

    def execute_action_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Send a message to many contacts.

        `POST /actions/{id}/executions`
        """
        return self.request('POST', '/actions/{id}/executions', {'id': id}, body=body, **options)

    def render_action(self, id: Id, body: Any, **options: Any) -> Any:
        """Render a message for one contact.

        `POST /actions/{id}/render`
        """
        return self.request('POST', '/actions/{id}/render', {'id': id}, body=body, **options)

    def render_action_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Render messages for many contacts.

        `POST /actions/{id}/renders`
        """
        return self.request('POST', '/actions/{id}/renders', {'id': id}, body=body, **options)

    def render_action_links(self, id: Id, body: Any, **options: Any) -> Any:
        """Create the links of a message.

        `POST /actions/{id}/render/links`
        """
        return self.request('POST', '/actions/{id}/render/links', {'id': id}, body=body, **options)

    def mail_action_recipients(self, id: Id, **options: Any) -> Any:
        """Email a file of the recipients of an action.

        `GET /actions/{id}/export/recipients`
        """
        return self.request('GET', '/actions/{id}/export/recipients', {'id': id}, **options)

    def export_action_recipients(self, id: Id, **options: Any) -> Any:
        """Download the recipients of an action.

        `GET /actions/{id}/export/recipients.csv`
        """
        return self.request('GET', '/actions/{id}/export/recipients.csv', {'id': id}, **options)

    def mail_action_opens(self, id: Id, **options: Any) -> Any:
        """Email a file of the opens of an action.

        `GET /actions/{id}/export/tracking/opens`
        """
        return self.request('GET', '/actions/{id}/export/tracking/opens', {'id': id}, **options)

    def export_action_opens(self, id: Id, **options: Any) -> Any:
        """Download the opens of an action.

        `GET /actions/{id}/export/tracking/opens.csv`
        """
        return self.request('GET', '/actions/{id}/export/tracking/opens.csv', {'id': id}, **options)

    def mail_action_clicks(self, id: Id, **options: Any) -> Any:
        """Email a file of the clicks of an action.

        `GET /actions/{id}/export/tracking/clicks`
        """
        return self.request('GET', '/actions/{id}/export/tracking/clicks', {'id': id}, **options)

    def export_action_clicks(self, id: Id, **options: Any) -> Any:
        """Download the clicks of an action.

        `GET /actions/{id}/export/tracking/clicks.csv`
        """
        return self.request('GET', '/actions/{id}/export/tracking/clicks.csv', {'id': id}, **options)

    def download_export(self, token: Id, **options: Any) -> Any:
        """Download an export file.

        `GET /exports/{token}`
        """
        return self.request('GET', '/exports/{token}', {'token': token}, **options)

    def list_archives(self, **options: Any) -> Any:
        """List the archives of the account.

        `GET /actions/archives`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/actions/archives', {}, **options)

    def list_action_archives(self, id: Id, **options: Any) -> Any:
        """List the archives of an action.

        `GET /actions/{id}/archives`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/actions/{id}/archives', {'id': id}, **options)

    def list_action_target_archives(self, id: Id, target: Id, **options: Any) -> Any:
        """List the archives of an action for a contact.

        `GET /actions/{id}/targets/{target}/archives`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/actions/{id}/targets/{target}/archives', {'id': id, 'target': target}, **options)

    def list_target_archives(self, id: Id, **options: Any) -> Any:
        """List the archives of a contact.

        `GET /targets/{id}/archives`

        Query: limit, after, startDate, endDate.
        """
        return self.request('GET', '/targets/{id}/archives', {'id': id}, **options)

    def list_stamp_archives(self, id: Id, **options: Any) -> Any:
        """Get the archive of a message.

        `GET /actions/stamp/{id}/archives`
        """
        return self.request('GET', '/actions/stamp/{id}/archives', {'id': id}, **options)

    def download_archive(self, token: Id, **options: Any) -> Any:
        """Download an archived email.

        `GET /archives/{token}`
        """
        return self.request('GET', '/archives/{token}', {'token': token}, **options)

    def list_display_campaigns(self, **options: Any) -> Any:
        """List the display campaigns.

        `GET /display/campaign`

        Query: limit, after, report.
        """
        return self.request('GET', '/display/campaign', {}, **options)

    def create_display_campaign(self, body: Any, **options: Any) -> Any:
        """Create a display campaign.

        `POST /display/campaign`
        """
        return self.request('POST', '/display/campaign', {}, body=body, **options)

    def get_display_campaign(self, id: Id, **options: Any) -> Any:
        """Get a display campaign.

        `GET /display/campaign/{id}`
        """
        return self.request('GET', '/display/campaign/{id}', {'id': id}, **options)

    def update_display_campaign(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a display campaign.

        `PUT /display/campaign/{id}`
        """
        return self.request('PUT', '/display/campaign/{id}', {'id': id}, body=body, **options)

    def delete_display_campaign(self, id: Id, **options: Any) -> Any:
        """Delete a display campaign.

        `DELETE /display/campaign/{id}`
        """
        return self.request('DELETE', '/display/campaign/{id}', {'id': id}, **options)

    def patch_display_campaign(self, id: Id, body: Any, **options: Any) -> Any:
        """Patch a display campaign.

        `PATCH /display/campaign/{id}`
        """
        return self.request('PATCH', '/display/campaign/{id}', {'id': id}, body=body, **options)

    def get_display_campaign_report(self, id: Id, **options: Any) -> Any:
        """Get the report of a display campaign.

        `GET /display/campaign/{id}/report`

        Query: start, end.
        """
        return self.request('GET', '/display/campaign/{id}/report', {'id': id}, **options)

    def list_display_placements(self, **options: Any) -> Any:
        """List the placements.

        `GET /display/placement`

        Query: limit, after.
        """
        return self.request('GET', '/display/placement', {}, **options)

    def create_display_placement(self, body: Any, **options: Any) -> Any:
        """Create a placement.

        `POST /display/placement`
        """
        return self.request('POST', '/display/placement', {}, body=body, **options)

    def get_display_placement(self, id: Id, **options: Any) -> Any:
        """Get a placement.

        `GET /display/placement/{id}`
        """
        return self.request('GET', '/display/placement/{id}', {'id': id}, **options)

    def update_display_placement(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a placement.

        `PUT /display/placement/{id}`
        """
        return self.request('PUT', '/display/placement/{id}', {'id': id}, body=body, **options)

    def delete_display_placement(self, id: Id, **options: Any) -> Any:
        """Delete a placement.

        `DELETE /display/placement/{id}`
        """
        return self.request('DELETE', '/display/placement/{id}', {'id': id}, **options)

    def patch_display_placement(self, id: Id, body: Any, **options: Any) -> Any:
        """Patch a placement.

        `PATCH /display/placement/{id}`
        """
        return self.request('PATCH', '/display/placement/{id}', {'id': id}, body=body, **options)

    def list_display_contents(self, **options: Any) -> Any:
        """List the display contents.

        `GET /display/content`

        Query: limit, after.
        """
        return self.request('GET', '/display/content', {}, **options)

    def create_display_content(self, body: Any, **options: Any) -> Any:
        """Create a display content.

        `POST /display/content`
        """
        return self.request('POST', '/display/content', {}, body=body, **options)

    def get_display_content(self, id: Id, **options: Any) -> Any:
        """Get a display content.

        `GET /display/content/{id}`
        """
        return self.request('GET', '/display/content/{id}', {'id': id}, **options)

    def update_display_content(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a display content.

        `PUT /display/content/{id}`
        """
        return self.request('PUT', '/display/content/{id}', {'id': id}, body=body, **options)

    def delete_display_content(self, id: Id, **options: Any) -> Any:
        """Delete a display content.

        `DELETE /display/content/{id}`
        """
        return self.request('DELETE', '/display/content/{id}', {'id': id}, **options)

    def patch_display_content(self, id: Id, body: Any, **options: Any) -> Any:
        """Patch a display content.

        `PATCH /display/content/{id}`
        """
        return self.request('PATCH', '/display/content/{id}', {'id': id}, body=body, **options)

    def get_display_content_tags(self, id: Id, **options: Any) -> Any:
        """Create the tags of a display content.

        `GET /display/content/{id}/tags`

        Query: placement, contact.
        """
        return self.request('GET', '/display/content/{id}/tags', {'id': id}, **options)

    def list_target_timeline(self, id: Id, **options: Any) -> Any:
        """Get the timeline of a contact.

        `GET /targets/{id}/timeline`

        Query: before, limit.
        """
        return self.request('GET', '/targets/{id}/timeline', {'id': id}, **options)

    def list_all_action_events(self, **options: Any) -> Any:
        """List the events of email and SMS messages.

        `GET /actions/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events', {}, **options)

    def list_all_action_activation_events(self, **options: Any) -> Any:
        """List the activations of email and SMS messages.

        `GET /actions/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/activations', {}, **options)

    def list_all_action_cancellation_events(self, **options: Any) -> Any:
        """List the cancellations of email and SMS messages.

        `GET /actions/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/cancellations', {}, **options)

    def list_all_action_bounce_events(self, **options: Any) -> Any:
        """List the bounces of email and SMS messages.

        `GET /actions/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/bounces', {}, **options)

    def list_all_action_complaint_events(self, **options: Any) -> Any:
        """List the complaints of email and SMS messages.

        `GET /actions/events/complaints`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/complaints', {}, **options)

    def list_all_action_stop_response_events(self, **options: Any) -> Any:
        """List the STOP replies of email and SMS messages.

        `GET /actions/events/responses/stop`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/responses/stop', {}, **options)

    def list_all_action_hit_events(self, **options: Any) -> Any:
        """List the hits of email and SMS messages.

        `GET /actions/events/hits`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits', {}, **options)

    def list_all_action_open_hit_events(self, **options: Any) -> Any:
        """List the opens of email and SMS messages.

        `GET /actions/events/hits/open`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits/open', {}, **options)

    def list_all_action_redirection_hit_events(self, **options: Any) -> Any:
        """List the clicks of email and SMS messages.

        `GET /actions/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits/redirection', {}, **options)

    def list_all_action_unsubscribe_hit_events(self, **options: Any) -> Any:
        """List the unsubscriptions of email and SMS messages.

        `GET /actions/events/hits/unsubscribe`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits/unsubscribe', {}, **options)

    def list_all_action_mirror_hit_events(self, **options: Any) -> Any:
        """List the mirror page views of email and SMS messages.

        `GET /actions/events/hits/mirror`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits/mirror', {}, **options)

    def list_all_action_form_hit_events(self, **options: Any) -> Any:
        """List the form responses of email and SMS messages.

        `GET /actions/events/hits/form`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/events/hits/form', {}, **options)

    def list_action_events(self, id: Id, **options: Any) -> Any:
        """List the events of an action.

        `GET /actions/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events', {'id': id}, **options)

    def list_action_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of an action.

        `GET /actions/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/activations', {'id': id}, **options)

    def list_action_cancellation_events(self, id: Id, **options: Any) -> Any:
        """List the cancellations of an action.

        `GET /actions/{id}/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/cancellations', {'id': id}, **options)

    def list_action_bounce_events(self, id: Id, **options: Any) -> Any:
        """List the bounces of an action.

        `GET /actions/{id}/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/bounces', {'id': id}, **options)

    def list_action_complaint_events(self, id: Id, **options: Any) -> Any:
        """List the complaints of an action.

        `GET /actions/{id}/events/complaints`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/complaints', {'id': id}, **options)

    def list_action_stop_response_events(self, id: Id, **options: Any) -> Any:
        """List the STOP replies of an action.

        `GET /actions/{id}/events/responses/stop`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/responses/stop', {'id': id}, **options)

    def list_action_hit_events(self, id: Id, **options: Any) -> Any:
        """List the hits of an action.

        `GET /actions/{id}/events/hits`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits', {'id': id}, **options)

    def list_action_open_hit_events(self, id: Id, **options: Any) -> Any:
        """List the opens of an action.

        `GET /actions/{id}/events/hits/open`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits/open', {'id': id}, **options)

    def list_action_redirection_hit_events(self, id: Id, **options: Any) -> Any:
        """List the clicks of an action.

        `GET /actions/{id}/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits/redirection', {'id': id}, **options)

    def list_action_unsubscribe_hit_events(self, id: Id, **options: Any) -> Any:
        """List the unsubscriptions of an action.

        `GET /actions/{id}/events/hits/unsubscribe`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits/unsubscribe', {'id': id}, **options)

    def list_action_mirror_hit_events(self, id: Id, **options: Any) -> Any:
        """List the mirror page views of an action.

        `GET /actions/{id}/events/hits/mirror`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits/mirror', {'id': id}, **options)

    def list_action_form_hit_events(self, id: Id, **options: Any) -> Any:
        """List the form responses of an action.

        `GET /actions/{id}/events/hits/form`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/actions/{id}/events/hits/form', {'id': id}, **options)

    def list_all_action_reactivities(self, **options: Any) -> Any:
        """List the reactions to email and SMS messages.

        `GET /actions/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities', {}, **options)

    def list_all_action_bounce_reactivities(self, **options: Any) -> Any:
        """List the bounces of email and SMS messages with their activations.

        `GET /actions/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/bounces', {}, **options)

    def list_all_action_hit_reactivities(self, **options: Any) -> Any:
        """List the hits of email and SMS messages with their activations.

        `GET /actions/reactivities/hits`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits', {}, **options)

    def list_all_action_open_hit_reactivities(self, **options: Any) -> Any:
        """List the opens of email and SMS messages with their activations.

        `GET /actions/reactivities/hits/open`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits/open', {}, **options)

    def list_all_action_redirection_hit_reactivities(self, **options: Any) -> Any:
        """List the clicks of email and SMS messages with their activations.

        `GET /actions/reactivities/hits/redirection`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits/redirection', {}, **options)

    def list_all_action_unsubscribe_hit_reactivities(self, **options: Any) -> Any:
        """List the unsubscriptions of email and SMS messages with their activations.

        `GET /actions/reactivities/hits/unsubscribe`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits/unsubscribe', {}, **options)

    def list_all_action_mirror_hit_reactivities(self, **options: Any) -> Any:
        """List the mirror page views of email and SMS messages with their activations.

        `GET /actions/reactivities/hits/mirror`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits/mirror', {}, **options)

    def list_all_action_form_hit_reactivities(self, **options: Any) -> Any:
        """List the form responses of email and SMS messages with their activations.

        `GET /actions/reactivities/hits/form`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/hits/form', {}, **options)

    def list_all_action_complaint_reactivities(self, **options: Any) -> Any:
        """List the complaints of email and SMS messages with their activations.

        `GET /actions/reactivities/complaints`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/complaints', {}, **options)

    def list_all_action_stop_response_reactivities(self, **options: Any) -> Any:
        """List the STOP replies of email and SMS messages with their activations.

        `GET /actions/reactivities/responses/stop`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/reactivities/responses/stop', {}, **options)

    def list_action_reactivities(self, id: Id, **options: Any) -> Any:
        """List the reactions to an action.

        `GET /actions/{id}/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities', {'id': id}, **options)

    def list_action_bounce_reactivities(self, id: Id, **options: Any) -> Any:
        """List the bounces of an action with their activations.

        `GET /actions/{id}/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/bounces', {'id': id}, **options)

    def list_action_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the hits of an action with their activations.

        `GET /actions/{id}/reactivities/hits`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits', {'id': id}, **options)

    def list_action_open_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the opens of an action with their activations.

        `GET /actions/{id}/reactivities/hits/open`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits/open', {'id': id}, **options)

    def list_action_redirection_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the clicks of an action with their activations.

        `GET /actions/{id}/reactivities/hits/redirection`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits/redirection', {'id': id}, **options)

    def list_action_unsubscribe_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the unsubscriptions of an action with their activations.

        `GET /actions/{id}/reactivities/hits/unsubscribe`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits/unsubscribe', {'id': id}, **options)

    def list_action_mirror_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the mirror page views of an action with their activations.

        `GET /actions/{id}/reactivities/hits/mirror`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits/mirror', {'id': id}, **options)

    def list_action_form_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the form responses of an action with their activations.

        `GET /actions/{id}/reactivities/hits/form`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/hits/form', {'id': id}, **options)

    def list_action_complaint_reactivities(self, id: Id, **options: Any) -> Any:
        """List the complaints of an action with their activations.

        `GET /actions/{id}/reactivities/complaints`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/complaints', {'id': id}, **options)

    def list_action_stop_response_reactivities(self, id: Id, **options: Any) -> Any:
        """List the STOP replies of an action with their activations.

        `GET /actions/{id}/reactivities/responses/stop`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/actions/{id}/reactivities/responses/stop', {'id': id}, **options)

    def list_all_rcs_action_events(self, **options: Any) -> Any:
        """List the events of RCS messages.

        `GET /channel/rcs/actions/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events', {}, **options)

    def list_all_rcs_action_execution_events(self, **options: Any) -> Any:
        """List the executions of RCS messages.

        `GET /channel/rcs/actions/events/executions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/executions', {}, **options)

    def list_all_rcs_action_activation_events(self, **options: Any) -> Any:
        """List the activations of RCS messages.

        `GET /channel/rcs/actions/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/activations', {}, **options)

    def list_all_rcs_action_cancellation_events(self, **options: Any) -> Any:
        """List the cancellations of RCS messages.

        `GET /channel/rcs/actions/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/cancellations', {}, **options)

    def list_all_rcs_action_bounce_events(self, **options: Any) -> Any:
        """List the bounces of RCS messages.

        `GET /channel/rcs/actions/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/bounces', {}, **options)

    def list_all_rcs_action_delivery_events(self, **options: Any) -> Any:
        """List the deliveries of RCS messages.

        `GET /channel/rcs/actions/events/deliveries`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/deliveries', {}, **options)

    def list_all_rcs_action_interaction_events(self, **options: Any) -> Any:
        """List the interactions of RCS messages.

        `GET /channel/rcs/actions/events/interactions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/interactions', {}, **options)

    def list_all_rcs_action_read_interaction_events(self, **options: Any) -> Any:
        """List the reads of RCS messages.

        `GET /channel/rcs/actions/events/interactions/read`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/interactions/read', {}, **options)

    def list_rcs_action_events(self, id: Id, **options: Any) -> Any:
        """List the events of an RCS action.

        `GET /channel/rcs/actions/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events', {'id': id}, **options)

    def list_rcs_action_execution_events(self, id: Id, **options: Any) -> Any:
        """List the executions of an RCS action.

        `GET /channel/rcs/actions/{id}/events/executions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/executions', {'id': id}, **options)

    def list_rcs_action_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of an RCS action.

        `GET /channel/rcs/actions/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/activations', {'id': id}, **options)

    def list_rcs_action_cancellation_events(self, id: Id, **options: Any) -> Any:
        """List the cancellations of an RCS action.

        `GET /channel/rcs/actions/{id}/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/cancellations', {'id': id}, **options)

    def list_rcs_action_bounce_events(self, id: Id, **options: Any) -> Any:
        """List the bounces of an RCS action.

        `GET /channel/rcs/actions/{id}/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/bounces', {'id': id}, **options)

    def list_rcs_action_delivery_events(self, id: Id, **options: Any) -> Any:
        """List the deliveries of an RCS action.

        `GET /channel/rcs/actions/{id}/events/deliveries`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/deliveries', {'id': id}, **options)

    def list_rcs_action_interaction_events(self, id: Id, **options: Any) -> Any:
        """List the interactions of an RCS action.

        `GET /channel/rcs/actions/{id}/events/interactions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/interactions', {'id': id}, **options)

    def list_rcs_action_read_interaction_events(self, id: Id, **options: Any) -> Any:
        """List the reads of an RCS action.

        `GET /channel/rcs/actions/{id}/events/interactions/read`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/events/interactions/read', {'id': id}, **options)

    def list_rcs_stamp_events(self, **options: Any) -> Any:
        """List the events of an RCS message or thread.

        `GET /channel/rcs/actions/events/stamp`

        Query: id, thread, classification, classifications.
        """
        return self.request('GET', '/channel/rcs/actions/events/stamp', {}, **options)

    def look_up_rcs_events(self, **options: Any) -> Any:
        """List the events of a phone number and an agent.

        `GET /channel/rcs/actions/events/lookup`

        Query: phone, agent, type, start, end, classification, classifications, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/events/lookup', {}, **options)

    def list_all_rcs_action_reactivities(self, **options: Any) -> Any:
        """List the reactions to RCS messages.

        `GET /channel/rcs/actions/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/reactivities', {}, **options)

    def list_all_rcs_action_bounce_reactivities(self, **options: Any) -> Any:
        """List the bounces of RCS messages with their activations.

        `GET /channel/rcs/actions/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/reactivities/bounces', {}, **options)

    def list_all_rcs_action_delivery_reactivities(self, **options: Any) -> Any:
        """List the deliveries of RCS messages with their activations.

        `GET /channel/rcs/actions/reactivities/deliveries`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/reactivities/deliveries', {}, **options)

    def list_all_rcs_action_interaction_reactivities(self, **options: Any) -> Any:
        """List the interactions of RCS messages with their activations.

        `GET /channel/rcs/actions/reactivities/interactions`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/reactivities/interactions', {}, **options)

    def list_all_rcs_action_read_interaction_reactivities(self, **options: Any) -> Any:
        """List the reads of RCS messages with their activations.

        `GET /channel/rcs/actions/reactivities/interactions/read`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/reactivities/interactions/read', {}, **options)

    def list_rcs_action_reactivities(self, id: Id, **options: Any) -> Any:
        """List the reactions to an RCS action.

        `GET /channel/rcs/actions/{id}/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/reactivities', {'id': id}, **options)

    def list_rcs_action_bounce_reactivities(self, id: Id, **options: Any) -> Any:
        """List the bounces of an RCS action with their activations.

        `GET /channel/rcs/actions/{id}/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/reactivities/bounces', {'id': id}, **options)

    def list_rcs_action_delivery_reactivities(self, id: Id, **options: Any) -> Any:
        """List the deliveries of an RCS action with their activations.

        `GET /channel/rcs/actions/{id}/reactivities/deliveries`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/reactivities/deliveries', {'id': id}, **options)

    def list_rcs_action_interaction_reactivities(self, id: Id, **options: Any) -> Any:
        """List the interactions of an RCS action with their activations.

        `GET /channel/rcs/actions/{id}/reactivities/interactions`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/reactivities/interactions', {'id': id}, **options)

    def list_rcs_action_read_interaction_reactivities(self, id: Id, **options: Any) -> Any:
        """List the reads of an RCS action with their activations.

        `GET /channel/rcs/actions/{id}/reactivities/interactions/read`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/channel/rcs/actions/{id}/reactivities/interactions/read', {'id': id}, **options)

    def list_all_notification_hit_events(self, **options: Any) -> Any:
        """List the hits of notifications.

        `GET /notifications/events/hits`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/hits', {}, **options)

    def list_all_notification_activation_events(self, **options: Any) -> Any:
        """List the activations of notifications.

        `GET /notifications/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/activations', {}, **options)

    def list_all_notification_execution_events(self, **options: Any) -> Any:
        """List the executions of notifications.

        `GET /notifications/events/executions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/executions', {}, **options)

    def list_all_notification_cancellation_events(self, **options: Any) -> Any:
        """List the cancellations of notifications.

        `GET /notifications/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/cancellations', {}, **options)

    def list_all_notification_bounce_events(self, **options: Any) -> Any:
        """List the bounces of notifications.

        `GET /notifications/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/bounces', {}, **options)

    def list_all_notification_opt_out_events(self, **options: Any) -> Any:
        """List the opt-outs of notifications.

        `GET /notifications/events/optouts`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/events/optouts', {}, **options)

    def list_notification_events(self, id: Id, **options: Any) -> Any:
        """List the events of a notification.

        `GET /notifications/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events', {'id': id}, **options)

    def list_notification_impression_events(self, id: Id, **options: Any) -> Any:
        """List the impressions of a notification.

        `GET /notifications/{id}/events/impressions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/impressions', {'id': id}, **options)

    def list_notification_hit_events(self, id: Id, **options: Any) -> Any:
        """List the hits of a notification.

        `GET /notifications/{id}/events/hits`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/hits', {'id': id}, **options)

    def list_notification_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of a notification.

        `GET /notifications/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/activations', {'id': id}, **options)

    def list_notification_execution_events(self, id: Id, **options: Any) -> Any:
        """List the executions of a notification.

        `GET /notifications/{id}/events/executions`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/executions', {'id': id}, **options)

    def list_notification_cancellation_events(self, id: Id, **options: Any) -> Any:
        """List the cancellations of a notification.

        `GET /notifications/{id}/events/cancellations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/cancellations', {'id': id}, **options)

    def list_notification_bounce_events(self, id: Id, **options: Any) -> Any:
        """List the bounces of a notification.

        `GET /notifications/{id}/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/bounces', {'id': id}, **options)

    def list_notification_opt_out_events(self, id: Id, **options: Any) -> Any:
        """List the opt-outs of a notification.

        `GET /notifications/{id}/events/optouts`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/notifications/{id}/events/optouts', {'id': id}, **options)

    def list_all_notification_reactivities(self, **options: Any) -> Any:
        """List the reactions to notifications.

        `GET /notifications/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/reactivities', {}, **options)

    def list_all_notification_impression_reactivities(self, **options: Any) -> Any:
        """List the impressions of notifications with their activations.

        `GET /notifications/reactivities/impressions`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/reactivities/impressions', {}, **options)

    def list_all_notification_hit_reactivities(self, **options: Any) -> Any:
        """List the hits of notifications with their activations.

        `GET /notifications/reactivities/hits`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/reactivities/hits', {}, **options)

    def list_all_notification_opt_out_reactivities(self, **options: Any) -> Any:
        """List the opt-outs of notifications with their activations.

        `GET /notifications/reactivities/optouts`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/reactivities/optouts', {}, **options)

    def list_all_notification_bounce_reactivities(self, **options: Any) -> Any:
        """List the bounces of notifications with their activations.

        `GET /notifications/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/reactivities/bounces', {}, **options)

    def list_notification_reactivities(self, id: Id, **options: Any) -> Any:
        """List the reactions to a notification.

        `GET /notifications/{id}/reactivities`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/{id}/reactivities', {'id': id}, **options)

    def list_notification_impression_reactivities(self, id: Id, **options: Any) -> Any:
        """List the impressions of a notification with their activations.

        `GET /notifications/{id}/reactivities/impressions`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/{id}/reactivities/impressions', {'id': id}, **options)

    def list_notification_hit_reactivities(self, id: Id, **options: Any) -> Any:
        """List the hits of a notification with their activations.

        `GET /notifications/{id}/reactivities/hits`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/{id}/reactivities/hits', {'id': id}, **options)

    def list_notification_opt_out_reactivities(self, id: Id, **options: Any) -> Any:
        """List the opt-outs of a notification with their activations.

        `GET /notifications/{id}/reactivities/optouts`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/{id}/reactivities/optouts', {'id': id}, **options)

    def list_notification_bounce_reactivities(self, id: Id, **options: Any) -> Any:
        """List the bounces of a notification with their activations.

        `GET /notifications/{id}/reactivities/bounces`

        Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
        """
        return self.request('GET', '/notifications/{id}/reactivities/bounces', {'id': id}, **options)

    def list_target_events_by_query(self, **options: Any) -> Any:
        """List the events of the contact in the query.

        `GET /targets/events`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events', {}, **options)

    def list_target_activation_events_by_query(self, **options: Any) -> Any:
        """List the activations of the contact in the query.

        `GET /targets/events/activations`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/activations', {}, **options)

    def list_target_bounce_events_by_query(self, **options: Any) -> Any:
        """List the bounces of the contact in the query.

        `GET /targets/events/bounces`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/bounces', {}, **options)

    def list_target_complaint_events_by_query(self, **options: Any) -> Any:
        """List the complaints of the contact in the query.

        `GET /targets/events/complaints`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/complaints', {}, **options)

    def list_target_stop_response_events_by_query(self, **options: Any) -> Any:
        """List the STOP replies of the contact in the query.

        `GET /targets/events/responses/stop`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/responses/stop', {}, **options)

    def list_target_hit_events_by_query(self, **options: Any) -> Any:
        """List the hits of the contact in the query.

        `GET /targets/events/hits`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits', {}, **options)

    def list_target_open_hit_events_by_query(self, **options: Any) -> Any:
        """List the opens of the contact in the query.

        `GET /targets/events/hits/open`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits/open', {}, **options)

    def list_target_redirection_hit_events_by_query(self, **options: Any) -> Any:
        """List the clicks of the contact in the query.

        `GET /targets/events/hits/redirection`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits/redirection', {}, **options)

    def list_target_unsubscribe_hit_events_by_query(self, **options: Any) -> Any:
        """List the unsubscriptions of the contact in the query.

        `GET /targets/events/hits/unsubscribe`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits/unsubscribe', {}, **options)

    def list_target_mirror_hit_events_by_query(self, **options: Any) -> Any:
        """List the mirror page views of the contact in the query.

        `GET /targets/events/hits/mirror`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits/mirror', {}, **options)

    def list_target_form_hit_events_by_query(self, **options: Any) -> Any:
        """List the form responses of the contact in the query.

        `GET /targets/events/hits/form`

        Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/events/hits/form', {}, **options)

    def list_target_events(self, id: Id, **options: Any) -> Any:
        """List the events of a contact.

        `GET /targets/{id}/events`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events', {'id': id}, **options)

    def list_target_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of a contact.

        `GET /targets/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/activations', {'id': id}, **options)

    def list_target_bounce_events(self, id: Id, **options: Any) -> Any:
        """List the bounces of a contact.

        `GET /targets/{id}/events/bounces`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/bounces', {'id': id}, **options)

    def list_target_hit_events(self, id: Id, **options: Any) -> Any:
        """List the hits of a contact.

        `GET /targets/{id}/events/hits`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits', {'id': id}, **options)

    def list_target_open_hit_events(self, id: Id, **options: Any) -> Any:
        """List the opens of a contact.

        `GET /targets/{id}/events/hits/open`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits/open', {'id': id}, **options)

    def list_target_redirection_hit_events(self, id: Id, **options: Any) -> Any:
        """List the clicks of a contact.

        `GET /targets/{id}/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits/redirection', {'id': id}, **options)

    def list_target_unsubscribe_hit_events(self, id: Id, **options: Any) -> Any:
        """List the unsubscriptions of a contact.

        `GET /targets/{id}/events/hits/unsubscribe`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits/unsubscribe', {'id': id}, **options)

    def list_target_mirror_hit_events(self, id: Id, **options: Any) -> Any:
        """List the mirror page views of a contact.

        `GET /targets/{id}/events/hits/mirror`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits/mirror', {'id': id}, **options)

    def list_target_form_hit_events(self, id: Id, **options: Any) -> Any:
        """List the form responses of a contact.

        `GET /targets/{id}/events/hits/form`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/targets/{id}/events/hits/form', {'id': id}, **options)

    def list_all_display_activation_events(self, **options: Any) -> Any:
        """List the activations of display contents.

        `GET /display/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/events/activations', {}, **options)

    def list_all_display_redirection_hit_events(self, **options: Any) -> Any:
        """List the clicks of display contents.

        `GET /display/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/events/hits/redirection', {}, **options)

    def list_display_campaign_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of a display campaign.

        `GET /display/campaign/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/campaign/{id}/events/activations', {'id': id}, **options)

    def list_display_campaign_redirection_hit_events(self, id: Id, **options: Any) -> Any:
        """List the clicks of a display campaign.

        `GET /display/campaign/{id}/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/campaign/{id}/events/hits/redirection', {'id': id}, **options)

    def list_display_placement_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of a placement.

        `GET /display/placement/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/placement/{id}/events/activations', {'id': id}, **options)

    def list_display_placement_redirection_hit_events(self, id: Id, **options: Any) -> Any:
        """List the clicks of a placement.

        `GET /display/placement/{id}/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/placement/{id}/events/hits/redirection', {'id': id}, **options)

    def list_display_content_activation_events(self, id: Id, **options: Any) -> Any:
        """List the activations of a display content.

        `GET /display/content/{id}/events/activations`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/content/{id}/events/activations', {'id': id}, **options)

    def list_display_content_redirection_hit_events(self, id: Id, **options: Any) -> Any:
        """List the clicks of a display content.

        `GET /display/content/{id}/events/hits/redirection`

        Query: start, end, sort, classification, classifications, limit, after.
        """
        return self.request('GET', '/display/content/{id}/events/hits/redirection', {'id': id}, **options)

    def get_message(self, stamp: Id, **options: Any) -> Any:
        """Get a message as it was sent.

        `GET /messages/{stamp}`
        """
        return self.request('GET', '/messages/{stamp}', {'stamp': stamp}, **options)

    def preview_action_audience(self, id: Id, body: Any, **options: Any) -> Any:
        """Preview the audience of an action.

        `POST /actions/{id}/audience`
        """
        return self.request('POST', '/actions/{id}/audience', {'id': id}, body=body, **options)

    def preview_rcs_action_audience(self, id: Id, body: Any, **options: Any) -> Any:
        """Preview the audience of an RCS action.

        `POST /channel/rcs/actions/{id}/audience`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/audience', {'id': id}, body=body, **options)

    def preview_notification_audience(self, id: Id, body: Any, **options: Any) -> Any:
        """Preview the audience of a notification.

        `POST /notifications/{id}/audience`
        """
        return self.request('POST', '/notifications/{id}/audience', {'id': id}, body=body, **options)

    def get_target_reachability(self, id: Id, **options: Any) -> Any:
        """Get the reachability of a contact.

        `GET /targets/{id}/reachability`

        Query: purpose, topic.
        """
        return self.request('GET', '/targets/{id}/reachability', {'id': id}, **options)

    def get_event_settings(self, **options: Any) -> Any:
        """Get the event settings.

        `GET /settings/events`
        """
        return self.request('GET', '/settings/events', {}, **options)

    def update_event_settings(self, body: Any, **options: Any) -> Any:
        """Update the event settings.

        `PUT /settings/events`
        """
        return self.request('PUT', '/settings/events', {}, body=body, **options)

    def list_webhooks(self, **options: Any) -> Any:
        """List the webhooks.

        `GET /webhooks`

        Query: limit, after.
        """
        return self.request('GET', '/webhooks', {}, **options)

    def create_webhook(self, body: Any, **options: Any) -> Any:
        """Create a webhook.

        `POST /webhooks`
        """
        return self.request('POST', '/webhooks', {}, body=body, **options)

    def get_webhook(self, id: Id, **options: Any) -> Any:
        """Get a webhook.

        `GET /webhooks/{id}`
        """
        return self.request('GET', '/webhooks/{id}', {'id': id}, **options)

    def update_webhook(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a webhook.

        `PUT /webhooks/{id}`
        """
        return self.request('PUT', '/webhooks/{id}', {'id': id}, body=body, **options)

    def delete_webhook(self, id: Id, **options: Any) -> Any:
        """Delete a webhook.

        `DELETE /webhooks/{id}`
        """
        return self.request('DELETE', '/webhooks/{id}', {'id': id}, **options)

    def patch_webhook(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch a webhook.

        `PATCH /webhooks/{id}`
        """
        return self.request('PATCH', '/webhooks/{id}', {'id': id}, body=body, **options)

    def list_webhook_dead_letters(self, id: Id, **options: Any) -> Any:
        """List the dead letters of a webhook.

        `GET /webhooks/{id}/deadletters`

        Query: limit, after.
        """
        return self.request('GET', '/webhooks/{id}/deadletters', {'id': id}, **options)

    def delete_webhook_dead_letters(self, id: Id, body: Any, **options: Any) -> Any:
        """Delete dead letters of a webhook.

        `DELETE /webhooks/{id}/deadletters`
        """
        return self.request('DELETE', '/webhooks/{id}/deadletters', {'id': id}, body=body, **options)

    def replay_webhook_dead_letters(self, id: Id, body: Any, **options: Any) -> Any:
        """Replay dead letters of a webhook.

        `POST /webhooks/{id}/deadletters/replay`
        """
        return self.request('POST', '/webhooks/{id}/deadletters/replay', {'id': id}, body=body, **options)

    def list_webhook_deliveries(self, id: Id, **options: Any) -> Any:
        """List the recent requests to a webhook.

        `GET /webhooks/{id}/deliveries`

        Query: limit, after.
        """
        return self.request('GET', '/webhooks/{id}/deliveries', {'id': id}, **options)

    def renew_webhook_secret(self, id: Id, **options: Any) -> Any:
        """Rotate the secret of a webhook.

        `POST /webhooks/{id}/secret`
        """
        return self.request('POST', '/webhooks/{id}/secret', {'id': id}, **options)

    def test_webhook(self, id: Id, **options: Any) -> Any:
        """Send a test event to a webhook.

        `POST /webhooks/{id}/test`
        """
        return self.request('POST', '/webhooks/{id}/test', {'id': id}, **options)

    def list_workflows(self, **options: Any) -> Any:
        """List the workflows.

        `GET /scripting/workflows`

        Query: limit, after, state, name.
        """
        return self.request('GET', '/scripting/workflows', {}, **options)

    def create_workflow(self, body: Any, **options: Any) -> Any:
        """Create a workflow.

        `POST /scripting/workflows`
        """
        return self.request('POST', '/scripting/workflows', {}, body=body, **options)

    def get_workflow(self, id: Id, **options: Any) -> Any:
        """Get a workflow.

        `GET /scripting/workflows/{id}`
        """
        return self.request('GET', '/scripting/workflows/{id}', {'id': id}, **options)

    def delete_workflow(self, id: Id, **options: Any) -> Any:
        """Delete a workflow.

        `DELETE /scripting/workflows/{id}`
        """
        return self.request('DELETE', '/scripting/workflows/{id}', {'id': id}, **options)

    def update_workflow(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a workflow.

        `PUT /scripting/workflows/{id}`
        """
        return self.request('PUT', '/scripting/workflows/{id}', {'id': id}, body=body, **options)

    def patch_workflow(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch a workflow.

        `PATCH /scripting/workflows/{id}`
        """
        return self.request('PATCH', '/scripting/workflows/{id}', {'id': id}, body=body, **options)

    def activate_workflow(self, id: Id, **options: Any) -> Any:
        """Activate a workflow.

        `POST /scripting/workflows/{id}/activation`
        """
        return self.request('POST', '/scripting/workflows/{id}/activation', {'id': id}, **options)

    def deactivate_workflow(self, id: Id, **options: Any) -> Any:
        """Deactivate a workflow.

        `DELETE /scripting/workflows/{id}/activation`

        Query: open.
        """
        return self.request('DELETE', '/scripting/workflows/{id}/activation', {'id': id}, **options)

    def duplicate_workflow(self, id: Id, **options: Any) -> Any:
        """Duplicate a workflow.

        `POST /scripting/workflows/{id}/duplication`
        """
        return self.request('POST', '/scripting/workflows/{id}/duplication', {'id': id}, **options)

    def list_workflow_flaws(self, id: Id, **options: Any) -> Any:
        """List the flaws of a workflow.

        `GET /scripting/workflows/{id}/flaws`
        """
        return self.request('GET', '/scripting/workflows/{id}/flaws', {'id': id}, **options)

    def list_workflow_versions(self, id: Id, **options: Any) -> Any:
        """List the versions of a workflow.

        `GET /scripting/workflows/{id}/versions`
        """
        return self.request('GET', '/scripting/workflows/{id}/versions', {'id': id}, **options)

    def get_workflow_version(self, id: Id, version: Id, **options: Any) -> Any:
        """Get a version of a workflow.

        `GET /scripting/workflows/{id}/versions/{version}`
        """
        return self.request('GET', '/scripting/workflows/{id}/versions/{version}', {'id': id, 'version': version}, **options)

    def list_workflow_listeners(self, id: Id, **options: Any) -> Any:
        """Get the listeners of a workflow.

        `GET /scripting/workflows/{id}/listeners`
        """
        return self.request('GET', '/scripting/workflows/{id}/listeners', {'id': id}, **options)

    def replace_workflow_listeners(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the listeners of a workflow.

        `PUT /scripting/workflows/{id}/listeners`
        """
        return self.request('PUT', '/scripting/workflows/{id}/listeners', {'id': id}, body=body, **options)

    def delete_workflow_listeners(self, id: Id, **options: Any) -> Any:
        """Delete the listeners of a workflow.

        `DELETE /scripting/workflows/{id}/listeners`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/listeners', {'id': id}, **options)

    def list_workflow_tasks(self, id: Id, **options: Any) -> Any:
        """Get the tasks of a workflow.

        `GET /scripting/workflows/{id}/tasks`
        """
        return self.request('GET', '/scripting/workflows/{id}/tasks', {'id': id}, **options)

    def replace_workflow_tasks(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the tasks of a workflow.

        `PUT /scripting/workflows/{id}/tasks`
        """
        return self.request('PUT', '/scripting/workflows/{id}/tasks', {'id': id}, body=body, **options)

    def delete_workflow_tasks(self, id: Id, **options: Any) -> Any:
        """Delete the tasks of a workflow.

        `DELETE /scripting/workflows/{id}/tasks`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/tasks', {'id': id}, **options)

    def list_workflow_nodes(self, id: Id, **options: Any) -> Any:
        """Get the nodes of a workflow.

        `GET /scripting/workflows/{id}/nodes`
        """
        return self.request('GET', '/scripting/workflows/{id}/nodes', {'id': id}, **options)

    def replace_workflow_nodes(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the nodes of a workflow.

        `PUT /scripting/workflows/{id}/nodes`
        """
        return self.request('PUT', '/scripting/workflows/{id}/nodes', {'id': id}, body=body, **options)

    def delete_workflow_nodes(self, id: Id, **options: Any) -> Any:
        """Delete the nodes of a workflow.

        `DELETE /scripting/workflows/{id}/nodes`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/nodes', {'id': id}, **options)

    def get_workflow_capping(self, id: Id, **options: Any) -> Any:
        """Get the capping of a workflow.

        `GET /scripting/workflows/{id}/capping`
        """
        return self.request('GET', '/scripting/workflows/{id}/capping', {'id': id}, **options)

    def replace_workflow_capping(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the capping of a workflow.

        `PUT /scripting/workflows/{id}/capping`
        """
        return self.request('PUT', '/scripting/workflows/{id}/capping', {'id': id}, body=body, **options)

    def delete_workflow_capping(self, id: Id, **options: Any) -> Any:
        """Delete the capping of a workflow.

        `DELETE /scripting/workflows/{id}/capping`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/capping', {'id': id}, **options)

    def get_workflow_scripting(self, id: Id, **options: Any) -> Any:
        """Get the scripting of a workflow.

        `GET /scripting/workflows/{id}/scripting`
        """
        return self.request('GET', '/scripting/workflows/{id}/scripting', {'id': id}, **options)

    def replace_workflow_scripting(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the scripting of a workflow.

        `PUT /scripting/workflows/{id}/scripting`
        """
        return self.request('PUT', '/scripting/workflows/{id}/scripting', {'id': id}, body=body, **options)

    def delete_workflow_scripting(self, id: Id, **options: Any) -> Any:
        """Delete the scripting of a workflow.

        `DELETE /scripting/workflows/{id}/scripting`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/scripting', {'id': id}, **options)

    def patch_workflow_scripting(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch the scripting of a workflow.

        `PATCH /scripting/workflows/{id}/scripting`
        """
        return self.request('PATCH', '/scripting/workflows/{id}/scripting', {'id': id}, body=body, **options)

    def get_workflow_settings(self, id: Id, **options: Any) -> Any:
        """Get the settings of a workflow.

        `GET /scripting/workflows/{id}/settings`
        """
        return self.request('GET', '/scripting/workflows/{id}/settings', {'id': id}, **options)

    def replace_workflow_settings(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the settings of a workflow.

        `PUT /scripting/workflows/{id}/settings`
        """
        return self.request('PUT', '/scripting/workflows/{id}/settings', {'id': id}, body=body, **options)

    def delete_workflow_settings(self, id: Id, **options: Any) -> Any:
        """Delete the settings of a workflow.

        `DELETE /scripting/workflows/{id}/settings`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/settings', {'id': id}, **options)

    def patch_workflow_settings(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch the settings of a workflow.

        `PATCH /scripting/workflows/{id}/settings`
        """
        return self.request('PATCH', '/scripting/workflows/{id}/settings', {'id': id}, body=body, **options)

    def get_workflow_node_experiment(self, id: Id, node: Id, **options: Any) -> Any:
        """Get the results of an experiment.

        `GET /scripting/workflows/{id}/nodes/{node}/experiment`
        """
        return self.request('GET', '/scripting/workflows/{id}/nodes/{node}/experiment', {'id': id, 'node': node}, **options)

    def get_action_experiment(self, id: Id, **options: Any) -> Any:
        """Get the experiment of an action.

        `GET /actions/{id}/experiment`
        """
        return self.request('GET', '/actions/{id}/experiment', {'id': id}, **options)

    def decide_action_experiment(self, id: Id, body: Any, **options: Any) -> Any:
        """Choose a version for an action.

        `POST /actions/{id}/experiment/decision`
        """
        return self.request('POST', '/actions/{id}/experiment/decision', {'id': id}, body=body, **options)

    def get_rcs_action_experiment(self, id: Id, **options: Any) -> Any:
        """Get the experiment of an RCS action.

        `GET /channel/rcs/actions/{id}/experiment`
        """
        return self.request('GET', '/channel/rcs/actions/{id}/experiment', {'id': id}, **options)

    def decide_rcs_action_experiment(self, id: Id, body: Any, **options: Any) -> Any:
        """Choose a version for an RCS action.

        `POST /channel/rcs/actions/{id}/experiment/decision`
        """
        return self.request('POST', '/channel/rcs/actions/{id}/experiment/decision', {'id': id}, body=body, **options)

    def execute_workflow(self, id: Id, body: Any, **options: Any) -> Any:
        """Start or resume a run of a workflow.

        `POST /scripting/workflows/{id}/execution`
        """
        return self.request('POST', '/scripting/workflows/{id}/execution', {'id': id}, body=body, **options)

    def execute_workflow_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Start or resume up to 1,000 runs.

        `POST /scripting/workflows/{id}/executions`
        """
        return self.request('POST', '/scripting/workflows/{id}/executions', {'id': id}, body=body, **options)

    def simulate_workflow(self, id: Id, body: Any, **options: Any) -> Any:
        """Simulate a run of a workflow.

        `POST /scripting/workflows/{id}/simulation`
        """
        return self.request('POST', '/scripting/workflows/{id}/simulation', {'id': id}, body=body, **options)

    def execute_workflow_task(self, id: Id, uuid: Id, body: Any, **options: Any) -> Any:
        """Execute a task of a workflow.

        `POST /scripting/workflows/{id}/tasks/{uuid}/execution`
        """
        return self.request('POST', '/scripting/workflows/{id}/tasks/{uuid}/execution', {'id': id, 'uuid': uuid}, body=body, **options)

    def get_workflow_task_execution(self, id: Id, uuid: Id, firing: Id, **options: Any) -> Any:
        """Get an execution of a task.

        `GET /scripting/workflows/{id}/tasks/{uuid}/executions/{firing}`
        """
        return self.request('GET', '/scripting/workflows/{id}/tasks/{uuid}/executions/{firing}', {'id': id, 'uuid': uuid, 'firing': firing}, **options)

    def list_workflow_runs(self, id: Id, **options: Any) -> Any:
        """List the runs of a workflow.

        `GET /scripting/workflows/{id}/runs`

        Query: limit, after, contact, unicity, hash, status, node, version, start, end, sort.
        """
        return self.request('GET', '/scripting/workflows/{id}/runs', {'id': id}, **options)

    def list_workflow_events(self, id: Id, **options: Any) -> Any:
        """List the events published by a workflow.

        `GET /scripting/workflows/{id}/events`

        Query: limit, after, start, end, sort.
        """
        return self.request('GET', '/scripting/workflows/{id}/events', {'id': id}, **options)

    def get_workflow_run(self, id: Id, run: Id, **options: Any) -> Any:
        """Get a run of a workflow.

        `GET /scripting/workflows/{id}/runs/{run}`
        """
        return self.request('GET', '/scripting/workflows/{id}/runs/{run}', {'id': id, 'run': run}, **options)

    def kill_workflow_run(self, id: Id, run: Id, **options: Any) -> Any:
        """Kill a run of a workflow.

        `DELETE /scripting/workflows/{id}/runs/{run}`
        """
        return self.request('DELETE', '/scripting/workflows/{id}/runs/{run}', {'id': id, 'run': run}, **options)

    def retry_workflow_run(self, id: Id, run: Id, **options: Any) -> Any:
        """Retry a failed run of a workflow.

        `POST /scripting/workflows/{id}/runs/{run}/retry`
        """
        return self.request('POST', '/scripting/workflows/{id}/runs/{run}/retry', {'id': id, 'run': run}, **options)

    def get_workflow_statistics(self, id: Id, **options: Any) -> Any:
        """Get the statistics of a workflow.

        `GET /scripting/workflows/{id}/statistics`

        Query: version, start, end.
        """
        return self.request('GET', '/scripting/workflows/{id}/statistics', {'id': id}, **options)

    def list_compilables(self, **options: Any) -> Any:
        """List the compilables.

        `GET /scripting/compilables`

        Query: limit, after, name, state.
        """
        return self.request('GET', '/scripting/compilables', {}, **options)

    def create_compilable(self, body: Any, **options: Any) -> Any:
        """Create a compilable.

        `POST /scripting/compilables`
        """
        return self.request('POST', '/scripting/compilables', {}, body=body, **options)

    def get_compilable(self, id: Id, **options: Any) -> Any:
        """Get a compilable.

        `GET /scripting/compilables/{id}`
        """
        return self.request('GET', '/scripting/compilables/{id}', {'id': id}, **options)

    def delete_compilable(self, id: Id, **options: Any) -> Any:
        """Delete a compilable.

        `DELETE /scripting/compilables/{id}`
        """
        return self.request('DELETE', '/scripting/compilables/{id}', {'id': id}, **options)

    def update_compilable(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a compilable.

        `PUT /scripting/compilables/{id}`
        """
        return self.request('PUT', '/scripting/compilables/{id}', {'id': id}, body=body, **options)

    def patch_compilable(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch a compilable.

        `PATCH /scripting/compilables/{id}`
        """
        return self.request('PATCH', '/scripting/compilables/{id}', {'id': id}, body=body, **options)

    def duplicate_compilable(self, id: Id, **options: Any) -> Any:
        """Duplicate a compilable.

        `POST /scripting/compilables/{id}/duplication`
        """
        return self.request('POST', '/scripting/compilables/{id}/duplication', {'id': id}, **options)

    def list_compilable_flaws(self, id: Id, **options: Any) -> Any:
        """List the flaws of a compilable.

        `GET /scripting/compilables/{id}/flaws`
        """
        return self.request('GET', '/scripting/compilables/{id}/flaws', {'id': id}, **options)

    def execute_compilable(self, id: Id, body: Any, **options: Any) -> Any:
        """Execute a compilable.

        `POST /scripting/compilables/{id}/execution`
        """
        return self.request('POST', '/scripting/compilables/{id}/execution', {'id': id}, body=body, **options)

    def preview_compilable(self, id: Id, body: Any, **options: Any) -> Any:
        """Preview a compilable.

        `POST /scripting/compilables/{id}/preview`
        """
        return self.request('POST', '/scripting/compilables/{id}/preview', {'id': id}, body=body, **options)

    def list_webtasks(self, **options: Any) -> Any:
        """List the webtasks.

        `GET /scripting/webtasks`

        Query: limit, after, name.
        """
        return self.request('GET', '/scripting/webtasks', {}, **options)

    def create_webtask(self, body: Any, **options: Any) -> Any:
        """Create a webtask.

        `POST /scripting/webtasks`
        """
        return self.request('POST', '/scripting/webtasks', {}, body=body, **options)

    def get_webtask(self, id: Id, **options: Any) -> Any:
        """Get a webtask.

        `GET /scripting/webtasks/{id}`
        """
        return self.request('GET', '/scripting/webtasks/{id}', {'id': id}, **options)

    def delete_webtask(self, id: Id, **options: Any) -> Any:
        """Delete a webtask.

        `DELETE /scripting/webtasks/{id}`
        """
        return self.request('DELETE', '/scripting/webtasks/{id}', {'id': id}, **options)

    def update_webtask(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a webtask.

        `PUT /scripting/webtasks/{id}`
        """
        return self.request('PUT', '/scripting/webtasks/{id}', {'id': id}, body=body, **options)

    def patch_webtask(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Patch a webtask.

        `PATCH /scripting/webtasks/{id}`
        """
        return self.request('PATCH', '/scripting/webtasks/{id}', {'id': id}, body=body, **options)

    def check_webtask(self, body: Any, **options: Any) -> Any:
        """Check a webtask before saving.

        `POST /scripting/webtasks/flaws`
        """
        return self.request('POST', '/scripting/webtasks/flaws', {}, body=body, **options)

    def get_webtask_script(self, id: Id, **options: Any) -> Any:
        """Get the script of a webtask.

        `GET /scripting/webtasks/{id}/script`
        """
        return self.request('GET', '/scripting/webtasks/{id}/script', {'id': id}, **options)

    def replace_webtask_script(self, id: Id, body: Any, **options: Any) -> Any:
        """Replace the script of a webtask.

        `PUT /scripting/webtasks/{id}/script`
        """
        return self.request('PUT', '/scripting/webtasks/{id}/script', {'id': id}, body=body, **options)

    def create_webtask_token_without_data(self, id: Id, **options: Any) -> Any:
        """Create a webtask token without data.

        `GET /scripting/webtasks/{id}/cipher`
        """
        return self.request('GET', '/scripting/webtasks/{id}/cipher', {'id': id}, **options)

    def create_webtask_token(self, id: Id, body: Any, **options: Any) -> Any:
        """Create a webtask token.

        `POST /scripting/webtasks/{id}/cipher`
        """
        return self.request('POST', '/scripting/webtasks/{id}/cipher', {'id': id}, body=body, **options)

    def revoke_webtask_tokens(self, id: Id, **options: Any) -> Any:
        """Revoke the tokens of a webtask.

        `DELETE /scripting/webtasks/{id}/cipher`
        """
        return self.request('DELETE', '/scripting/webtasks/{id}/cipher', {'id': id}, **options)

    def execute_webtask(self, id: Id, body: Any, **options: Any) -> Any:
        """Run a webtask.

        `POST /scripting/webtasks/{id}/execution`
        """
        return self.request('POST', '/scripting/webtasks/{id}/execution', {'id': id}, body=body, **options)

    def execute_webtask_batch(self, id: Id, body: Any, **options: Any) -> Any:
        """Run a webtask for up to 1,000 items.

        `POST /scripting/webtasks/{id}/executions`
        """
        return self.request('POST', '/scripting/webtasks/{id}/executions', {'id': id}, body=body, **options)

    def list_webtask_runs(self, id: Id, **options: Any) -> Any:
        """List the runs of a webtask.

        `GET /scripting/webtasks/{id}/runs`

        Query: limit, after, start, end, outcome.
        """
        return self.request('GET', '/scripting/webtasks/{id}/runs', {'id': id}, **options)

    def export_target(self, id: Id, **options: Any) -> Any:
        """Export the data of a contact.

        `GET /targets/{id}/export`
        """
        return self.request('GET', '/targets/{id}/export', {'id': id}, **options)

    def list_approvals(self, **options: Any) -> Any:
        """List the approvals.

        `GET /approvals`

        Query: limit, after, state.
        """
        return self.request('GET', '/approvals', {}, **options)

    def create_approval(self, body: Any, **options: Any) -> Any:
        """Request an approval.

        `POST /approvals`
        """
        return self.request('POST', '/approvals', {}, body=body, **options)

    def get_approval(self, id: Id, **options: Any) -> Any:
        """Get an approval.

        `GET /approvals/{id}`
        """
        return self.request('GET', '/approvals/{id}', {'id': id}, **options)

    def withdraw_approval(self, id: Id, **options: Any) -> Any:
        """Withdraw a request for approval.

        `DELETE /approvals/{id}`
        """
        return self.request('DELETE', '/approvals/{id}', {'id': id}, **options)

    def decide_approval(self, id: Id, body: Any, **options: Any) -> Any:
        """Decide on an approval.

        `POST /approvals/{id}/decision`
        """
        return self.request('POST', '/approvals/{id}/decision', {'id': id}, body=body, **options)

    def get_samples(self, **options: Any) -> Any:
        """Get the sample data.

        `GET /samples`
        """
        return self.request('GET', '/samples', {}, **options)

    def create_samples(self, **options: Any) -> Any:
        """Create the sample data.

        `POST /samples`
        """
        return self.request('POST', '/samples', {}, **options)

    def delete_samples(self, **options: Any) -> Any:
        """Delete the sample data.

        `DELETE /samples`
        """
        return self.request('DELETE', '/samples', {}, **options)

    def get_overview(self, **options: Any) -> Any:
        """Get the overview of the account.

        `GET /overview`
        """
        return self.request('GET', '/overview', {}, **options)

    def list_campaign_results(self, **options: Any) -> Any:
        """List the results of all campaigns.

        `GET /campaigns/results`
        """
        return self.request('GET', '/campaigns/results', {}, **options)

    def get_campaign_results(self, id: Id, **options: Any) -> Any:
        """Get the results of a campaign.

        `GET /campaigns/{id}/results`
        """
        return self.request('GET', '/campaigns/{id}/results', {'id': id}, **options)

    def download_media(self, hash: Id, name: Id, **options: Any) -> Any:
        """Download a media file.

        `GET /m/{hash}/{name}`
        """
        return self.request('GET', '/m/{hash}/{name}', {'hash': hash, 'name': name}, **options)

    def set_up_first_person(self, body: Any, **options: Any) -> Any:
        """Set up the first user.

        `POST /auth/setup`
        """
        return self.request('POST', '/auth/setup', {}, body=body, **options)

    def sign_in(self, body: Any, **options: Any) -> Any:
        """Sign in with a password.

        `POST /auth/sign-in`
        """
        return self.request('POST', '/auth/sign-in', {}, body=body, **options)

    def sign_in_by_passkey(self, body: Any, **options: Any) -> Any:
        """Sign in with a passkey.

        `POST /auth/passkey`
        """
        return self.request('POST', '/auth/passkey', {}, body=body, **options)

    def create_passkey_options(self, **options: Any) -> Any:
        """Create the options of a passkey request.

        `POST /auth/passkey/options`
        """
        return self.request('POST', '/auth/passkey/options', {}, **options)

    def give_second_factor(self, body: Any, **options: Any) -> Any:
        """Complete a sign-in with the second factor.

        `POST /auth/second-factor`
        """
        return self.request('POST', '/auth/second-factor', {}, body=body, **options)

    def request_password_reset(self, body: Any, **options: Any) -> Any:
        """Request a password reset.

        `POST /auth/reset`
        """
        return self.request('POST', '/auth/reset', {}, body=body, **options)

    def reset_password_by_link(self, body: Any, **options: Any) -> Any:
        """Set a new password.

        `POST /auth/reset/password`
        """
        return self.request('POST', '/auth/reset/password', {}, body=body, **options)

    def reset_password(self, token: Id, body: Any, **options: Any) -> Any:
        """Set a new password with a token in the path.

        `POST /auth/reset/{token}`
        """
        return self.request('POST', '/auth/reset/{token}', {'token': token}, body=body, **options)

    def show_invitation(self, body: Any, **options: Any) -> Any:
        """Show an invitation.

        `POST /auth/invitations`
        """
        return self.request('POST', '/auth/invitations', {}, body=body, **options)

    def accept_invitation_by_link(self, body: Any, **options: Any) -> Any:
        """Accept an invitation.

        `POST /auth/invitations/acceptance`
        """
        return self.request('POST', '/auth/invitations/acceptance', {}, body=body, **options)

    def get_invitation(self, token: Id, **options: Any) -> Any:
        """Get an invitation.

        `GET /auth/invitations/{token}`
        """
        return self.request('GET', '/auth/invitations/{token}', {'token': token}, **options)

    def accept_invitation(self, token: Id, body: Any, **options: Any) -> Any:
        """Accept an invitation with a token in the path.

        `POST /auth/invitations/{token}`
        """
        return self.request('POST', '/auth/invitations/{token}', {'token': token}, body=body, **options)

    def sign_in_by_provider(self, **options: Any) -> Any:
        """Sign in through the identity provider.

        `GET /auth/oidc`

        Query: to.
        """
        return self.request('GET', '/auth/oidc', {}, **options)

    def return_from_provider(self, **options: Any) -> Any:
        """Complete a sign-in through the identity provider.

        `GET /auth/oidc/callback`
        """
        return self.request('GET', '/auth/oidc/callback', {}, **options)

    def sign_out(self, **options: Any) -> Any:
        """Sign out.

        `POST /auth/sign-out`
        """
        return self.request('POST', '/auth/sign-out', {}, **options)

    def list_sessions(self, **options: Any) -> Any:
        """List your sessions.

        `GET /auth/sessions`
        """
        return self.request('GET', '/auth/sessions', {}, **options)

    def end_session(self, id: Id, **options: Any) -> Any:
        """End a session.

        `DELETE /auth/sessions/{id}`
        """
        return self.request('DELETE', '/auth/sessions/{id}', {'id': id}, **options)

    def confirm_password(self, body: Any, **options: Any) -> Any:
        """Confirm the password or a passkey.

        `POST /auth/confirm`
        """
        return self.request('POST', '/auth/confirm', {}, body=body, **options)

    def get_me(self, **options: Any) -> Any:
        """Get the caller.

        `GET /me`
        """
        return self.request('GET', '/me', {}, **options)

    def update_me(self, body: Any, **options: Any) -> Any:
        """Update your profile.

        `PUT /me`
        """
        return self.request('PUT', '/me', {}, body=body, **options)

    def change_password(self, body: Any, **options: Any) -> Any:
        """Change your password.

        `PUT /me/password`
        """
        return self.request('PUT', '/me/password', {}, body=body, **options)

    def add_totp(self, body: Any, **options: Any) -> Any:
        """Add an authenticator app.

        `POST /me/totp`
        """
        return self.request('POST', '/me/totp', {}, body=body, **options)

    def remove_totp(self, **options: Any) -> Any:
        """Remove the authenticator app.

        `DELETE /me/totp`
        """
        return self.request('DELETE', '/me/totp', {}, **options)

    def renew_recovery_codes(self, **options: Any) -> Any:
        """Renew the recovery codes.

        `POST /me/recovery`
        """
        return self.request('POST', '/me/recovery', {}, **options)

    def list_passkeys(self, **options: Any) -> Any:
        """List your passkeys.

        `GET /me/passkeys`
        """
        return self.request('GET', '/me/passkeys', {}, **options)

    def add_passkey(self, body: Any, **options: Any) -> Any:
        """Add a passkey.

        `POST /me/passkeys`
        """
        return self.request('POST', '/me/passkeys', {}, body=body, **options)

    def delete_passkey(self, id: Id, **options: Any) -> Any:
        """Delete a passkey.

        `DELETE /me/passkeys/{id}`
        """
        return self.request('DELETE', '/me/passkeys/{id}', {'id': id}, **options)

    def list_invitations(self, **options: Any) -> Any:
        """List pending invitations.

        `GET /people/invitations`
        """
        return self.request('GET', '/people/invitations', {}, **options)

    def create_invitation(self, body: Any, **options: Any) -> Any:
        """Invite a user to the account.

        `POST /people/invitations`
        """
        return self.request('POST', '/people/invitations', {}, body=body, **options)

    def withdraw_invitation(self, id: Id, **options: Any) -> Any:
        """Withdraw an invitation.

        `DELETE /people/invitations/{id}`
        """
        return self.request('DELETE', '/people/invitations/{id}', {'id': id}, **options)

    def list_people(self, **options: Any) -> Any:
        """List the users of the account.

        `GET /people`
        """
        return self.request('GET', '/people', {}, **options)

    def update_person(self, id: Id, body: Any, **options: Any) -> Any:
        """Update a user.

        `PUT /people/{id}`
        """
        return self.request('PUT', '/people/{id}', {'id': id}, body=body, **options)

    def remove_person(self, id: Id, **options: Any) -> Any:
        """Remove a user from the account.

        `DELETE /people/{id}`
        """
        return self.request('DELETE', '/people/{id}', {'id': id}, **options)

    def list_keys(self, **options: Any) -> Any:
        """List API keys.

        `GET /keys`
        """
        return self.request('GET', '/keys', {}, **options)

    def create_key(self, body: Any, **options: Any) -> Any:
        """Create an API key.

        `POST /keys`
        """
        return self.request('POST', '/keys', {}, body=body, **options)

    def revoke_key(self, id: Id, **options: Any) -> Any:
        """Revoke an API key.

        `DELETE /keys/{id}`
        """
        return self.request('DELETE', '/keys/{id}', {'id': id}, **options)

    def list_accounts(self, **options: Any) -> Any:
        """List accounts.

        `GET /accounts`
        """
        return self.request('GET', '/accounts', {}, **options)

    def create_account(self, body: Any, **options: Any) -> Any:
        """Create an account.

        `POST /accounts`
        """
        return self.request('POST', '/accounts', {}, body=body, **options)

    def update_account(self, code: Id, body: Any, **options: Any) -> Any:
        """Update an account.

        `PUT /accounts/{code}`
        """
        return self.request('PUT', '/accounts/{code}', {'code': code}, body=body, **options)

    def list_imports(self, **options: Any) -> Any:
        """List the imports.

        `GET /imports`

        Query: limit, after.
        """
        return self.request('GET', '/imports', {}, **options)

    def create_import(self, body: Any, **options: Any) -> Any:
        """Create an import.

        `POST /imports`
        """
        return self.request('POST', '/imports', {}, body=body, **options)

    def get_import(self, id: Id, **options: Any) -> Any:
        """Get an import.

        `GET /imports/{id}`
        """
        return self.request('GET', '/imports/{id}', {'id': id}, **options)

    def update_import(self, id: Id, body: Any, **options: Any) -> Any:
        """Update an import.

        `PUT /imports/{id}`
        """
        return self.request('PUT', '/imports/{id}', {'id': id}, body=body, **options)

    def delete_import(self, id: Id, **options: Any) -> Any:
        """Delete an import.

        `DELETE /imports/{id}`
        """
        return self.request('DELETE', '/imports/{id}', {'id': id}, **options)

    def upload_import_source(self, id: Id, body: Any = None, **options: Any) -> Any:
        """Upload the file of an import.

        `PUT /imports/{id}/source`
        """
        return self.request('PUT', '/imports/{id}/source', {'id': id}, body=body, **options)

    def preview_import_file(self, body: Any = None, **options: Any) -> Any:
        """Preview a file.

        `POST /imports/preview`

        Query: encoding, sheet.
        """
        return self.request('POST', '/imports/preview', {}, body=body, **options)

    def send_action_to_target(self, id: Id, target_id: Id, body: Any, **options: Any) -> Any:
        """Send a message to a contact by ID.

        `POST /actions/{id}/targets/{targetId}`
        """
        return self.request('POST', '/actions/{id}/targets/{targetId}', {'id': id, 'targetId': target_id}, body=body, **options)

    def run_webtask_by_token(self, token: Id, **options: Any) -> Any:
        """Run a webtask by its token.

        `GET /w/{token}`
        """
        return self.request('GET', '/w/{token}', {'token': token}, **options)

    def run_webtask_by_token_with_body(self, token: Id, body: Any = None, **options: Any) -> Any:
        """Run a webtask by its token, with a body.

        `POST /w/{token}`
        """
        return self.request('POST', '/w/{token}', {'token': token}, body=body, **options)

    def follow_link(self, token: Id, **options: Any) -> Any:
        """Follow a tracked link.

        `GET /t/r/{token}`
        """
        return self.request('GET', '/t/r/{token}', {'token': token}, **options)

    def follow_link_with_target(self, token: Id, target: Id, **options: Any) -> Any:
        """Follow a tracked link with an embedded destination.

        `GET /t/r/{token}/{target}`
        """
        return self.request('GET', '/t/r/{token}/{target}', {'token': token, 'target': target}, **options)

    def follow_short_link(self, code: Id, **options: Any) -> Any:
        """Follow a short link.

        `GET /s/{code}`
        """
        return self.request('GET', '/s/{code}', {'code': code}, **options)

    def get_pixel(self, token: Id, **options: Any) -> Any:
        """Get the tracking pixel of an email.

        `GET /t/o/{token}`
        """
        return self.request('GET', '/t/o/{token}', {'token': token}, **options)

    def follow_robot_link(self, token: Id, **options: Any) -> Any:
        """Follow the hidden link for robots.

        `GET /t/h/{token}`
        """
        return self.request('GET', '/t/h/{token}', {'token': token}, **options)

    def get_mirror_page(self, token: Id, **options: Any) -> Any:
        """Show the web version of an email.

        `GET /t/m/{token}`
        """
        return self.request('GET', '/t/m/{token}', {'token': token}, **options)

    def follow_preview_link(self, **options: Any) -> Any:
        """Show the page behind links of a preview.

        `GET /t/preview`
        """
        return self.request('GET', '/t/preview', {}, **options)

    def get_unsubscribe_page(self, token: Id, **options: Any) -> Any:
        """Show the unsubscribe page.

        `GET /t/u/{token}`
        """
        return self.request('GET', '/t/u/{token}', {'token': token}, **options)

    def unsubscribe(self, token: Id, body: Any = None, **options: Any) -> Any:
        """Unsubscribe a recipient.

        `POST /t/u/{token}`
        """
        return self.request('POST', '/t/u/{token}', {'token': token}, body=body, **options)

    def get_form_page(self, token: Id, **options: Any) -> Any:
        """Show the page of a form.

        `GET /t/f/{token}`
        """
        return self.request('GET', '/t/f/{token}', {'token': token}, **options)

    def answer_form(self, token: Id, body: Any = None, **options: Any) -> Any:
        """Submit a form.

        `POST /t/f/{token}`
        """
        return self.request('POST', '/t/f/{token}', {'token': token}, body=body, **options)

    def get_display_picture(self, token: Id, **options: Any) -> Any:
        """Get the tracking pixel of a display content.

        `GET /d/{token}.gif`

        Query: r, consent.
        """
        return self.request('GET', '/d/{token}.gif', {'token': token}, **options)

    def follow_display_link(self, token: Id, **options: Any) -> Any:
        """Follow the link of a display content.

        `GET /d/{token}`

        Query: r, consent.
        """
        return self.request('GET', '/d/{token}', {'token': token}, **options)

    def report_push_hit(self, agency: Id, customer: Id, message: Id, token: Id, **options: Any) -> Any:
        """Report a reaction to a notification.

        `GET /hit/{agency}/{customer}/{message}/link/{token}`
        """
        return self.request('GET', '/hit/{agency}/{customer}/{message}/link/{token}', {'agency': agency, 'customer': customer, 'message': message, 'token': token}, **options)

    def put_device_subscription(self, agency: Id, customer: Id, body: Any = None, **options: Any) -> Any:
        """Register a device.

        `PUT /api/v1.0/{agency}/{customer}/subscriptions`
        """
        return self.request('PUT', '/api/v1.0/{agency}/{customer}/subscriptions', {'agency': agency, 'customer': customer}, body=body, **options)

    def put_device_telemetry(self, agency: Id, customer: Id, body: Any = None, **options: Any) -> Any:
        """Report app telemetry.

        `PUT /api/v1.0/{agency}/{customer}/telemetry`
        """
        return self.request('PUT', '/api/v1.0/{agency}/{customer}/telemetry', {'agency': agency, 'customer': customer}, body=body, **options)

    def post_device_telemetry(self, agency: Id, customer: Id, body: Any = None, **options: Any) -> Any:
        """Report app telemetry by POST.

        `POST /api/v1.0/{agency}/{customer}/telemetry`
        """
        return self.request('POST', '/api/v1.0/{agency}/{customer}/telemetry', {'agency': agency, 'customer': customer}, body=body, **options)

    def receive_sms_callback_by_query(self, token: Id, **options: Any) -> Any:
        """Receive an SMS gateway callback in the query.

        `GET /hooks/sms/{token}`
        """
        return self.request('GET', '/hooks/sms/{token}', {'token': token}, **options)

    def receive_sms_callback(self, token: Id, body: Any = None, **options: Any) -> Any:
        """Receive an SMS gateway callback.

        `POST /hooks/sms/{token}`
        """
        return self.request('POST', '/hooks/sms/{token}', {'token': token}, body=body, **options)

    def receive_rcs_callback(self, token: Id, body: Any = None, **options: Any) -> Any:
        """Receive an RCS webhook call.

        `POST /hooks/rcs/{token}`
        """
        return self.request('POST', '/hooks/rcs/{token}', {'token': token}, body=body, **options)

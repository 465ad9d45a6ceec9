<?php

declare(strict_types=1);

namespace Stentor;

/**
 * A method for each operation of the interface. Generated from openapi.json: do not edit.
 *
 * `$options` are those of `Client::request`: query, headers, timeout and others.
 */
abstract class Operations
{
    abstract public function request(string $method, string $path, array $pathValues = [], mixed $body = null, array $options = []): mixed;

    /**
     * Check that the process is alive.
     *
     * `GET /health/live`
     */
    public function getLiveness(array $options = []): mixed
    {
        return $this->request('GET', '/health/live', [], null, $options);
    }

    /**
     * Check that the process is ready.
     *
     * `GET /health/ready`
     */
    public function getReadiness(array $options = []): mixed
    {
        return $this->request('GET', '/health/ready', [], null, $options);
    }

    /**
     * Get the metrics of the account.
     *
     * `GET /metrics`
     */
    public function getMetrics(array $options = []): mixed
    {
        return $this->request('GET', '/metrics', [], null, $options);
    }

    /**
     * List the audit entries.
     *
     * `GET /audit`
     *
     * Query: limit, after, start, end, who, operation, object.
     */
    public function listAuditEntries(array $options = []): mixed
    {
        return $this->request('GET', '/audit', [], null, $options);
    }

    /**
     * List recent API requests.
     *
     * `GET /requests`
     *
     * Query: limit, after, key, status.
     */
    public function listRequests(array $options = []): mixed
    {
        return $this->request('GET', '/requests', [], null, $options);
    }

    /**
     * List the jobs.
     *
     * `GET /jobs`
     *
     * Query: limit, after, state.
     */
    public function listJobs(array $options = []): mixed
    {
        return $this->request('GET', '/jobs', [], null, $options);
    }

    /**
     * Get a job.
     *
     * `GET /jobs/{id}`
     */
    public function getJob(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/jobs/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the fields.
     *
     * `GET /fields`
     *
     * Query: limit, after.
     */
    public function listFields(array $options = []): mixed
    {
        return $this->request('GET', '/fields', [], null, $options);
    }

    /**
     * Create a field.
     *
     * `POST /fields`
     */
    public function createField(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/fields', [], $body, $options);
    }

    /**
     * Get a field.
     *
     * `GET /fields/{id}`
     */
    public function getField(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/fields/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a field.
     *
     * `PUT /fields/{id}`
     */
    public function updateField(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/fields/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a field.
     *
     * `DELETE /fields/{id}`
     */
    public function deleteField(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/fields/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a field.
     *
     * `GET /fields/{id}/links`
     */
    public function listFieldLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/fields/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the value lists.
     *
     * `GET /valueLists`
     *
     * Query: limit, after.
     */
    public function listValueLists(array $options = []): mixed
    {
        return $this->request('GET', '/valueLists', [], null, $options);
    }

    /**
     * Create a value list.
     *
     * `POST /valueLists`
     */
    public function createValueList(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/valueLists', [], $body, $options);
    }

    /**
     * Get a value list.
     *
     * `GET /valueLists/{id}`
     */
    public function getValueList(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/valueLists/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a value list.
     *
     * `PUT /valueLists/{id}`
     */
    public function updateValueList(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/valueLists/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a value list.
     *
     * `DELETE /valueLists/{id}`
     */
    public function deleteValueList(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/valueLists/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a value list.
     *
     * `GET /valueLists/{id}/links`
     */
    public function listValueListLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/valueLists/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List contacts, or find one by unicity or hash.
     *
     * `GET /targets`
     *
     * Query: limit, after, fields, unicity, hash.
     */
    public function getTargets(array $options = []): mixed
    {
        return $this->request('GET', '/targets', [], null, $options);
    }

    /**
     * Create a contact.
     *
     * `POST /targets`
     *
     * Query: unicity.
     */
    public function createTarget(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/targets', [], $body, $options);
    }

    /**
     * Create or update contacts.
     *
     * `PUT /targets`
     *
     * Query: unicity.
     */
    public function updateTargets(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/targets', [], $body, $options);
    }

    /**
     * Delete a selection of contacts.
     *
     * `DELETE /targets`
     *
     * Query: erase.
     */
    public function deleteTargets(mixed $body, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets', [], $body, $options);
    }

    /**
     * Count the contacts.
     *
     * `GET /targets/count`
     */
    public function countTargets(array $options = []): mixed
    {
        return $this->request('GET', '/targets/count', [], null, $options);
    }

    /**
     * Find contacts by identification.
     *
     * `POST /targets/resolve`
     */
    public function resolveTargets(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/targets/resolve', [], $body, $options);
    }

    /**
     * Get a contact.
     *
     * `GET /targets/{id}`
     *
     * Query: fields.
     */
    public function getTarget(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a contact.
     *
     * `PUT /targets/{id}`
     */
    public function updateTarget(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/targets/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a contact.
     *
     * `DELETE /targets/{id}`
     *
     * Query: erase.
     */
    public function deleteTarget(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the entries of the mail suppression list.
     *
     * `GET /targets/redlist/mail`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listMailRedList(array $options = []): mixed
    {
        return $this->request('GET', '/targets/redlist/mail', [], null, $options);
    }

    /**
     * Add a contact to the mail suppression list.
     *
     * `POST /targets/{id}/redlist/mail`
     */
    public function addTargetToMailRedList(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/targets/{id}/redlist/mail', ['id' => $id], $body, $options);
    }

    /**
     * Remove a contact from the mail suppression list.
     *
     * `DELETE /targets/{id}/redlist/mail`
     *
     * Query: reason.
     */
    public function removeTargetFromMailRedList(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{id}/redlist/mail', ['id' => $id], $body, $options);
    }

    /**
     * List the entries of the SMS suppression list.
     *
     * `GET /targets/redlist/sms`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listSmsRedList(array $options = []): mixed
    {
        return $this->request('GET', '/targets/redlist/sms', [], null, $options);
    }

    /**
     * Add a contact to the SMS suppression list.
     *
     * `POST /targets/{id}/redlist/sms`
     */
    public function addTargetToSmsRedList(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/targets/{id}/redlist/sms', ['id' => $id], $body, $options);
    }

    /**
     * Remove a contact from the SMS suppression list.
     *
     * `DELETE /targets/{id}/redlist/sms`
     *
     * Query: reason.
     */
    public function removeTargetFromSmsRedList(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{id}/redlist/sms', ['id' => $id], $body, $options);
    }

    /**
     * Search bounce flags.
     *
     * `GET /targets/bounces`
     *
     * Query: limit, after, query, startDate, endDate.
     */
    public function listTargetBounces(array $options = []): mixed
    {
        return $this->request('GET', '/targets/bounces', [], null, $options);
    }

    /**
     * Set a bounce flag.
     *
     * `PUT /targets/{id}/bounces/{fieldId}`
     */
    public function setTargetBounce(int|string $id, int|string $fieldId, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/targets/{id}/bounces/{fieldId}', ['id' => $id, 'fieldId' => $fieldId], $body, $options);
    }

    /**
     * Clear a bounce flag.
     *
     * `DELETE /targets/{id}/bounces/{fieldId}`
     */
    public function deleteTargetBounce(int|string $id, int|string $fieldId, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{id}/bounces/{fieldId}', ['id' => $id, 'fieldId' => $fieldId], null, $options);
    }

    /**
     * Get the contact settings.
     *
     * `GET /settings/contacts`
     */
    public function getContactSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/contacts', [], null, $options);
    }

    /**
     * Update the contact settings.
     *
     * `PUT /settings/contacts`
     */
    public function updateContactSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/contacts', [], $body, $options);
    }

    /**
     * Search contacts.
     *
     * `POST /targets/search`
     */
    public function searchTargets(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/targets/search', [], $body, $options);
    }

    /**
     * Search all objects.
     *
     * `GET /search`
     *
     * Query: q, limit.
     */
    public function search(array $options = []): mixed
    {
        return $this->request('GET', '/search', [], null, $options);
    }

    /**
     * Preview a dynamic segment.
     *
     * `POST /segments/preview`
     */
    public function previewSegment(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/segments/preview', [], $body, $options);
    }

    /**
     * Get the growth of contacts.
     *
     * `GET /targets/growth`
     *
     * Query: start, end.
     */
    public function getTargetGrowth(array $options = []): mixed
    {
        return $this->request('GET', '/targets/growth', [], null, $options);
    }

    /**
     * Get the growth of a segment.
     *
     * `GET /segments/{id}/growth`
     *
     * Query: start, end.
     */
    public function getSegmentGrowth(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/segments/{id}/growth', ['id' => $id], null, $options);
    }

    /**
     * List the segments.
     *
     * `GET /segments`
     *
     * Query: limit, after.
     */
    public function listSegments(array $options = []): mixed
    {
        return $this->request('GET', '/segments', [], null, $options);
    }

    /**
     * Create a segment.
     *
     * `POST /segments`
     */
    public function createSegment(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/segments', [], $body, $options);
    }

    /**
     * Get a segment.
     *
     * `GET /segments/{id}`
     */
    public function getSegment(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/segments/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a segment.
     *
     * `PUT /segments/{id}`
     */
    public function updateSegment(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/segments/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a segment.
     *
     * `DELETE /segments/{id}`
     */
    public function deleteSegment(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/segments/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a segment.
     *
     * `GET /segments/{id}/links`
     */
    public function listSegmentLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/segments/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the contacts of a segment.
     *
     * `GET /segments/{id}/targets`
     *
     * Query: limit, after.
     */
    public function listSegmentTargets(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/segments/{id}/targets', ['id' => $id], null, $options);
    }

    /**
     * Add contacts to a static segment.
     *
     * `PUT /segments/{id}/targets`
     */
    public function addSegmentTargets(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/segments/{id}/targets', ['id' => $id], $body, $options);
    }

    /**
     * Remove contacts from a static segment.
     *
     * `DELETE /segments/{id}/targets`
     */
    public function removeSegmentTargets(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('DELETE', '/segments/{id}/targets', ['id' => $id], $body, $options);
    }

    /**
     * Add a contact to a static segment.
     *
     * `POST /segments/{id}/targets/{target}`
     */
    public function addSegmentTarget(int|string $id, int|string $target, array $options = []): mixed
    {
        return $this->request('POST', '/segments/{id}/targets/{target}', ['id' => $id, 'target' => $target], null, $options);
    }

    /**
     * List the segments of a contact.
     *
     * `GET /targets/{id}/segments`
     *
     * Query: type.
     */
    public function listTargetSegments(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/segments', ['id' => $id], null, $options);
    }

    /**
     * Make a contact a member of a segment.
     *
     * `POST /targets/{targetId}/segments/{segmentId}`
     */
    public function addTargetToSegment(int|string $targetId, int|string $segmentId, array $options = []): mixed
    {
        return $this->request('POST', '/targets/{targetId}/segments/{segmentId}', ['targetId' => $targetId, 'segmentId' => $segmentId], null, $options);
    }

    /**
     * Remove a contact from a static segment.
     *
     * `DELETE /targets/{targetId}/segments/{segmentId}`
     */
    public function removeTargetFromSegment(int|string $targetId, int|string $segmentId, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{targetId}/segments/{segmentId}', ['targetId' => $targetId, 'segmentId' => $segmentId], null, $options);
    }

    /**
     * Normalize the phone numbers of a segment.
     *
     * `POST /segments/{id}/normalization`
     */
    public function normalizeSegment(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/segments/{id}/normalization', ['id' => $id], $body, $options);
    }

    /**
     * Get the last run of an import, or list all.
     *
     * `GET /imports/{id}/executions`
     *
     * Query: limit, after, dryRun.
     */
    public function getImportExecutions(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/imports/{id}/executions', ['id' => $id], null, $options);
    }

    /**
     * Run an import.
     *
     * `POST /imports/{id}/executions`
     *
     * Query: dryRun.
     */
    public function executeImport(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/imports/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * Get an execution of an import.
     *
     * `GET /imports/{id}/executions/{execution}`
     */
    public function getImportExecution(int|string $id, int|string $execution, array $options = []): mixed
    {
        return $this->request('GET', '/imports/{id}/executions/{execution}', ['id' => $id, 'execution' => $execution], null, $options);
    }

    /**
     * Cancel an execution of an import.
     *
     * `DELETE /imports/{id}/executions/{execution}`
     */
    public function cancelImportExecution(int|string $id, int|string $execution, array $options = []): mixed
    {
        return $this->request('DELETE', '/imports/{id}/executions/{execution}', ['id' => $id, 'execution' => $execution], null, $options);
    }

    /**
     * Download the rejected lines of an execution.
     *
     * `GET /imports/{id}/executions/{execution}/rejects`
     */
    public function listImportExecutionRejects(int|string $id, int|string $execution, array $options = []): mixed
    {
        return $this->request('GET', '/imports/{id}/executions/{execution}/rejects', ['id' => $id, 'execution' => $execution], null, $options);
    }

    /**
     * List the import formats.
     *
     * `GET /importFormats`
     *
     * Query: limit, after.
     */
    public function listImportFormats(array $options = []): mixed
    {
        return $this->request('GET', '/importFormats', [], null, $options);
    }

    /**
     * Create an import format.
     *
     * `POST /importFormats`
     */
    public function createImportFormat(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/importFormats', [], $body, $options);
    }

    /**
     * Get an import format.
     *
     * `GET /importFormats/{id}`
     */
    public function getImportFormat(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/importFormats/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an import format.
     *
     * `PUT /importFormats/{id}`
     */
    public function updateImportFormat(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/importFormats/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete an import format.
     *
     * `DELETE /importFormats/{id}`
     */
    public function deleteImportFormat(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/importFormats/{id}', ['id' => $id], null, $options);
    }

    /**
     * Preview the last file of an import.
     *
     * `GET /imports/{id}/source/preview`
     *
     * Query: encoding, sheet.
     */
    public function previewImportSource(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/imports/{id}/source/preview', ['id' => $id], null, $options);
    }

    /**
     * Get the drop place.
     *
     * `GET /settings/dropPlace`
     */
    public function getDropPlace(array $options = []): mixed
    {
        return $this->request('GET', '/settings/dropPlace', [], null, $options);
    }

    /**
     * List the categories.
     *
     * `GET /categories`
     *
     * Query: limit, after.
     */
    public function listCategories(array $options = []): mixed
    {
        return $this->request('GET', '/categories', [], null, $options);
    }

    /**
     * Create a category.
     *
     * `POST /categories`
     */
    public function createCategory(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/categories', [], $body, $options);
    }

    /**
     * Get a category.
     *
     * `GET /categories/{id}`
     */
    public function getCategory(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/categories/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a category.
     *
     * `PUT /categories/{id}`
     */
    public function updateCategory(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/categories/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a category.
     *
     * `DELETE /categories/{id}`
     */
    public function deleteCategory(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/categories/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the forms.
     *
     * `GET /forms`
     *
     * Query: limit, after.
     */
    public function listForms(array $options = []): mixed
    {
        return $this->request('GET', '/forms', [], null, $options);
    }

    /**
     * Create a form.
     *
     * `POST /forms`
     */
    public function createForm(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/forms', [], $body, $options);
    }

    /**
     * Get a form.
     *
     * `GET /forms/{id}`
     */
    public function getForm(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/forms/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a form.
     *
     * `PUT /forms/{id}`
     */
    public function updateForm(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/forms/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a form.
     *
     * `DELETE /forms/{id}`
     */
    public function deleteForm(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/forms/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a form.
     *
     * `GET /forms/{id}/links`
     */
    public function listFormLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/forms/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the campaigns.
     *
     * `GET /campaigns`
     *
     * Query: limit, after.
     */
    public function listCampaigns(array $options = []): mixed
    {
        return $this->request('GET', '/campaigns', [], null, $options);
    }

    /**
     * Create a campaign.
     *
     * `POST /campaigns`
     */
    public function createCampaign(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/campaigns', [], $body, $options);
    }

    /**
     * Get a campaign.
     *
     * `GET /campaigns/{id}`
     */
    public function getCampaign(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/campaigns/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a campaign.
     *
     * `PUT /campaigns/{id}`
     */
    public function updateCampaign(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/campaigns/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a campaign.
     *
     * `DELETE /campaigns/{id}`
     */
    public function deleteCampaign(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/campaigns/{id}', ['id' => $id], null, $options);
    }

    /**
     * Add items to a campaign.
     *
     * `POST /campaigns/{id}/items`
     */
    public function addCampaignItems(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/campaigns/{id}/items', ['id' => $id], $body, $options);
    }

    /**
     * Remove an item from a campaign.
     *
     * `DELETE /campaigns/{id}/items/{type}/{item}`
     */
    public function removeCampaignItem(int|string $id, int|string $type, int|string $item, array $options = []): mixed
    {
        return $this->request('DELETE', '/campaigns/{id}/items/{type}/{item}', ['id' => $id, 'type' => $type, 'item' => $item], null, $options);
    }

    /**
     * List the events of a campaign.
     *
     * `GET /campaigns/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listCampaignEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/campaigns/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * Search the events of a campaign.
     *
     * `POST /campaigns/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function searchCampaignEvents(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/campaigns/{id}/events', ['id' => $id], $body, $options);
    }

    /**
     * List the captured messages.
     *
     * `GET /captured`
     */
    public function listCapturedMessages(array $options = []): mixed
    {
        return $this->request('GET', '/captured', [], null, $options);
    }

    /**
     * Get a captured message.
     *
     * `GET /captured/{id}`
     */
    public function getCapturedMessage(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/captured/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the RCS profiles.
     *
     * `GET /channel/rcs/profiles`
     *
     * Query: limit, after, active.
     */
    public function listRcsProfiles(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/profiles', [], null, $options);
    }

    /**
     * Create an RCS profile.
     *
     * `POST /channel/rcs/profiles`
     */
    public function createRcsProfile(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/profiles', [], $body, $options);
    }

    /**
     * Get an RCS profile.
     *
     * `GET /channel/rcs/profiles/{id}`
     */
    public function getRcsProfile(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/profiles/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an RCS profile.
     *
     * `PUT /channel/rcs/profiles/{id}`
     */
    public function updateRcsProfile(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/channel/rcs/profiles/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete an RCS profile.
     *
     * `DELETE /channel/rcs/profiles/{id}`
     */
    public function deleteRcsProfile(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/channel/rcs/profiles/{id}', ['id' => $id], null, $options);
    }

    /**
     * Renew the webhook address of an RCS profile.
     *
     * `POST /channel/rcs/profiles/{id}/token`
     */
    public function renewRcsProfileToken(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/profiles/{id}/token', ['id' => $id], null, $options);
    }

    /**
     * Check the RCS capabilities of a phone.
     *
     * `GET /channel/rcs/profiles/{id}/capabilities`
     *
     * Query: phone.
     */
    public function getRcsProfileCapabilities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/profiles/{id}/capabilities', ['id' => $id], null, $options);
    }

    /**
     * List the applications.
     *
     * `GET /parameters/applications`
     *
     * Query: limit, after.
     */
    public function listApplications(array $options = []): mixed
    {
        return $this->request('GET', '/parameters/applications', [], null, $options);
    }

    /**
     * Create an application.
     *
     * `POST /parameters/applications`
     */
    public function createApplication(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/parameters/applications', [], $body, $options);
    }

    /**
     * Get an application.
     *
     * `GET /parameters/applications/{id}`
     */
    public function getApplication(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/parameters/applications/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an application.
     *
     * `PUT /parameters/applications/{id}`
     */
    public function updateApplication(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/parameters/applications/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete an application.
     *
     * `DELETE /parameters/applications/{id}`
     */
    public function deleteApplication(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/parameters/applications/{id}', ['id' => $id], null, $options);
    }

    /**
     * Activate an application.
     *
     * `POST /parameters/applications/{id}/activation`
     */
    public function activateApplication(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/parameters/applications/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Deactivate an application.
     *
     * `DELETE /parameters/applications/{id}/activation`
     */
    public function deactivateApplication(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/parameters/applications/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Create or update a subscription.
     *
     * `PUT /subscriptions`
     */
    public function putSubscription(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/subscriptions', [], $body, $options);
    }

    /**
     * Get a subscription.
     *
     * `GET /subscriptions/{id}`
     */
    public function getSubscription(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/subscriptions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a subscription.
     *
     * `DELETE /subscriptions/{id}`
     */
    public function deleteSubscription(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/subscriptions/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the subscriptions of a contact.
     *
     * `GET /targets/{id}/subscriptions`
     */
    public function listTargetSubscriptions(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/subscriptions', ['id' => $id], null, $options);
    }

    /**
     * Delete the subscriptions of a contact.
     *
     * `DELETE /targets/{id}/subscriptions`
     */
    public function deleteTargetSubscriptions(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/{id}/subscriptions', ['id' => $id], null, $options);
    }

    /**
     * List the subscriptions of an identified contact.
     *
     * `GET /targets/subscriptions`
     *
     * Query: unicity, hash.
     */
    public function listTargetSubscriptionsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/subscriptions', [], null, $options);
    }

    /**
     * Delete the subscriptions of an identified contact.
     *
     * `DELETE /targets/subscriptions`
     *
     * Query: unicity, hash.
     */
    public function deleteTargetSubscriptionsByQuery(array $options = []): mixed
    {
        return $this->request('DELETE', '/targets/subscriptions', [], null, $options);
    }

    /**
     * Count the subscriptions of all applications.
     *
     * `GET /parameters/applications/subscriptions`
     */
    public function countApplicationSubscriptions(array $options = []): mixed
    {
        return $this->request('GET', '/parameters/applications/subscriptions', [], null, $options);
    }

    /**
     * List the uses of a pressure topic.
     *
     * `GET /marketing/pressure/topics/{id}/links`
     */
    public function listPressureTopicLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/topics/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the pressure topics.
     *
     * `GET /marketing/pressure/topics`
     *
     * Query: limit, after.
     */
    public function listPressureTopics(array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/topics', [], null, $options);
    }

    /**
     * Create a pressure topic.
     *
     * `POST /marketing/pressure/topics`
     */
    public function createPressureTopic(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/marketing/pressure/topics', [], $body, $options);
    }

    /**
     * Get a pressure topic.
     *
     * `GET /marketing/pressure/topics/{id}`
     */
    public function getPressureTopic(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/topics/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a pressure topic.
     *
     * `DELETE /marketing/pressure/topics/{id}`
     */
    public function deletePressureTopic(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/marketing/pressure/topics/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a pressure topic.
     *
     * `PUT /marketing/pressure/topics/{id}`
     */
    public function updatePressureTopic(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/marketing/pressure/topics/{id}', ['id' => $id], $body, $options);
    }

    /**
     * List the pressure rules.
     *
     * `GET /marketing/pressure/rules`
     *
     * Query: limit, after.
     */
    public function listPressureRules(array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/rules', [], null, $options);
    }

    /**
     * Create a pressure rule.
     *
     * `POST /marketing/pressure/rules`
     */
    public function createPressureRule(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/marketing/pressure/rules', [], $body, $options);
    }

    /**
     * Get a pressure rule.
     *
     * `GET /marketing/pressure/rules/{id}`
     */
    public function getPressureRule(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/rules/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a pressure rule.
     *
     * `DELETE /marketing/pressure/rules/{id}`
     */
    public function deletePressureRule(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/marketing/pressure/rules/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a pressure rule.
     *
     * `PUT /marketing/pressure/rules/{id}`
     */
    public function updatePressureRule(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/marketing/pressure/rules/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Get the pressure topic setting.
     *
     * `GET /settings/marketing/pressure/topic`
     */
    public function getPressureTopicSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/marketing/pressure/topic', [], null, $options);
    }

    /**
     * Update the pressure topic setting.
     *
     * `PUT /settings/marketing/pressure/topic`
     */
    public function updatePressureTopicSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/marketing/pressure/topic', [], $body, $options);
    }

    /**
     * Get the pressure settings.
     *
     * `GET /settings/marketing/pressure`
     */
    public function getPressureSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/marketing/pressure', [], null, $options);
    }

    /**
     * Update the pressure settings.
     *
     * `PUT /settings/marketing/pressure`
     */
    public function updatePressureSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/marketing/pressure', [], $body, $options);
    }

    /**
     * Get the pressure on a contact.
     *
     * `GET /targets/{id}/pressure`
     */
    public function getTargetPressure(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/pressure', ['id' => $id], null, $options);
    }

    /**
     * List the contacts at a limit.
     *
     * `GET /marketing/pressure/limited`
     *
     * Query: channel, purpose, topic, priority, rule, limit, after, at.
     */
    public function listPressureLimitedTargets(array $options = []): mixed
    {
        return $this->request('GET', '/marketing/pressure/limited', [], null, $options);
    }

    /**
     * Backtest a pressure rule.
     *
     * `POST /marketing/pressure/backtest`
     */
    public function backtestPressureRule(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/marketing/pressure/backtest', [], $body, $options);
    }

    /**
     * List the RCS actions.
     *
     * `GET /channel/rcs/actions`
     *
     * Query: limit, after, creation_start, creation_end, category, campaign, name, report, state, sort, type.
     */
    public function listRcsActions(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions', [], null, $options);
    }

    /**
     * Create an RCS action.
     *
     * `POST /channel/rcs/actions`
     */
    public function createRcsAction(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions', [], $body, $options);
    }

    /**
     * Get an RCS action.
     *
     * `GET /channel/rcs/actions/{id}`
     */
    public function getRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete an RCS action.
     *
     * `DELETE /channel/rcs/actions/{id}`
     */
    public function deleteRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/channel/rcs/actions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an RCS action.
     *
     * `PUT /channel/rcs/actions/{id}`
     */
    public function updateRcsAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/channel/rcs/actions/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Patch an RCS action.
     *
     * `PATCH /channel/rcs/actions/{id}`
     */
    public function patchRcsAction(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/channel/rcs/actions/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Duplicate an RCS action.
     *
     * `POST /channel/rcs/actions/{id}/duplication`
     */
    public function duplicateRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/duplication', ['id' => $id], null, $options);
    }

    /**
     * Validate an RCS action.
     *
     * `POST /channel/rcs/actions/{id}/validation`
     */
    public function validateRcsAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/validation', ['id' => $id], $body, $options);
    }

    /**
     * Cancel the validation of an RCS action.
     *
     * `DELETE /channel/rcs/actions/{id}/validation`
     */
    public function unvalidateRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/channel/rcs/actions/{id}/validation', ['id' => $id], null, $options);
    }

    /**
     * Pause an RCS campaign.
     *
     * `POST /channel/rcs/actions/{id}/pause`
     */
    public function pauseRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/pause', ['id' => $id], null, $options);
    }

    /**
     * Resume a paused RCS campaign.
     *
     * `DELETE /channel/rcs/actions/{id}/pause`
     */
    public function resumeRcsAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/channel/rcs/actions/{id}/pause', ['id' => $id], null, $options);
    }

    /**
     * Send an RCS message to one contact.
     *
     * `POST /channel/rcs/actions/{id}/execution`
     */
    public function executeRcsAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Send an RCS message to many contacts.
     *
     * `POST /channel/rcs/actions/{id}/executions`
     */
    public function executeRcsActionBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * Send proofs of an RCS action.
     *
     * `POST /channel/rcs/actions/{id}/proof`
     */
    public function sendRcsActionProofs(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/proof', ['id' => $id], $body, $options);
    }

    /**
     * Render an RCS message.
     *
     * `POST /channel/rcs/actions/{id}/render`
     */
    public function renderRcsAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/render', ['id' => $id], $body, $options);
    }

    /**
     * Render an RCS message for a contact.
     *
     * `GET /channel/rcs/actions/{id}/render/contact/{contact}`
     */
    public function renderRcsActionForContact(int|string $id, int|string $contact, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/render/contact/{contact}', ['id' => $id, 'contact' => $contact], null, $options);
    }

    /**
     * Render an RCS message by unicity or hash.
     *
     * `GET /channel/rcs/actions/{id}/render/contact`
     *
     * Query: unicity, hash.
     */
    public function renderRcsActionForContactByQuery(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/render/contact', ['id' => $id], null, $options);
    }

    /**
     * Create a notification.
     *
     * `POST /notifications`
     */
    public function createNotification(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications', [], $body, $options);
    }

    /**
     * List the notifications.
     *
     * `GET /notifications`
     *
     * Query: limit, after, active, state, creation_start, creation_end, campaign, name, report, sort.
     */
    public function listNotifications(array $options = []): mixed
    {
        return $this->request('GET', '/notifications', [], null, $options);
    }

    /**
     * Get a notification.
     *
     * `GET /notifications/{id}`
     */
    public function getNotification(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a notification.
     *
     * `PUT /notifications/{id}`
     */
    public function updateNotification(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/notifications/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a notification.
     *
     * `DELETE /notifications/{id}`
     */
    public function deleteNotification(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/notifications/{id}', ['id' => $id], null, $options);
    }

    /**
     * Duplicate a notification.
     *
     * `POST /notifications/{id}/duplication`
     */
    public function duplicateNotification(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/duplication', ['id' => $id], null, $options);
    }

    /**
     * Activate a notification.
     *
     * `POST /notifications/{id}/activation`
     */
    public function activateNotification(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Deactivate a notification.
     *
     * `DELETE /notifications/{id}/activation`
     */
    public function deactivateNotification(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/notifications/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Render the master version of a notification.
     *
     * `POST /notifications/{id}/render`
     */
    public function renderNotification(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/render', ['id' => $id], $body, $options);
    }

    /**
     * Render the master version of a notification for a contact.
     *
     * `GET /notifications/{id}/render/contact/{contact}`
     */
    public function renderNotificationForContact(int|string $id, int|string $contact, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/render/contact/{contact}', ['id' => $id, 'contact' => $contact], null, $options);
    }

    /**
     * Render the master version of a notification for an identified contact.
     *
     * `GET /notifications/{id}/render/contact`
     *
     * Query: unicity, hash.
     */
    public function renderNotificationForContactByQuery(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/render/contact', ['id' => $id], null, $options);
    }

    /**
     * Render a version of a notification.
     *
     * `POST /notifications/{id}/versions/{version}/render`
     */
    public function renderNotificationVersion(int|string $id, int|string $version, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/versions/{version}/render', ['id' => $id, 'version' => $version], $body, $options);
    }

    /**
     * Render a version of a notification for a contact.
     *
     * `GET /notifications/{id}/versions/{version}/render/contact/{contact}`
     */
    public function renderNotificationVersionForContact(int|string $id, int|string $version, int|string $contact, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/versions/{version}/render/contact/{contact}', ['id' => $id, 'version' => $version, 'contact' => $contact], null, $options);
    }

    /**
     * Render a version of a notification for an identified contact.
     *
     * `GET /notifications/{id}/versions/{version}/render/contact`
     *
     * Query: unicity, hash.
     */
    public function renderNotificationVersionForContactByQuery(int|string $id, int|string $version, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/versions/{version}/render/contact', ['id' => $id, 'version' => $version], null, $options);
    }

    /**
     * Send a notification.
     *
     * `POST /notifications/{id}/execution`
     */
    public function executeNotification(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Send a notification to many recipients.
     *
     * `POST /notifications/{id}/executions`
     */
    public function executeNotificationBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * Send a test of a notification.
     *
     * `POST /notifications/{id}/test`
     */
    public function testNotification(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/test', ['id' => $id], $body, $options);
    }

    /**
     * Send a test of a notification version.
     *
     * `POST /notifications/{id}/versions/{version}/test`
     */
    public function testNotificationVersion(int|string $id, int|string $version, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/versions/{version}/test', ['id' => $id, 'version' => $version], $body, $options);
    }

    /**
     * List the notifications of a contact.
     *
     * `GET /targets/{id}/notifications`
     *
     * Query: start, end, startDate, endDate, sort, application, limit, after.
     */
    public function listTargetNotifications(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/notifications', ['id' => $id], null, $options);
    }

    /**
     * Get the sending settings.
     *
     * `GET /settings/sending`
     */
    public function getSendingSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/sending', [], null, $options);
    }

    /**
     * Update the sending settings.
     *
     * `PUT /settings/sending`
     */
    public function updateSendingSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/sending', [], $body, $options);
    }

    /**
     * Get the user settings.
     *
     * `GET /settings/people`
     */
    public function getPeopleSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/people', [], null, $options);
    }

    /**
     * Update the user settings.
     *
     * `PUT /settings/people`
     */
    public function updatePeopleSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/people', [], $body, $options);
    }

    /**
     * Send a test message.
     *
     * `POST /settings/sending/test`
     */
    public function sendTestMessage(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/settings/sending/test', [], $body, $options);
    }

    /**
     * List the sending domains.
     *
     * `GET /domains`
     */
    public function listDomains(array $options = []): mixed
    {
        return $this->request('GET', '/domains', [], null, $options);
    }

    /**
     * Add a sending domain.
     *
     * `POST /domains`
     */
    public function createDomain(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/domains', [], $body, $options);
    }

    /**
     * Get a sending domain.
     *
     * `GET /domains/{name}`
     */
    public function getDomain(int|string $name, array $options = []): mixed
    {
        return $this->request('GET', '/domains/{name}', ['name' => $name], null, $options);
    }

    /**
     * Delete a sending domain.
     *
     * `DELETE /domains/{name}`
     */
    public function deleteDomain(int|string $name, array $options = []): mixed
    {
        return $this->request('DELETE', '/domains/{name}', ['name' => $name], null, $options);
    }

    /**
     * Check the DNS records of a domain.
     *
     * `POST /domains/{name}/check`
     */
    public function checkDomain(int|string $name, array $options = []): mixed
    {
        return $this->request('POST', '/domains/{name}/check', ['name' => $name], null, $options);
    }

    /**
     * List the gateways of the account.
     *
     * `GET /gateways`
     */
    public function listGateways(array $options = []): mixed
    {
        return $this->request('GET', '/gateways', [], null, $options);
    }

    /**
     * Create a gateway.
     *
     * `POST /gateways`
     */
    public function createGateway(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/gateways', [], $body, $options);
    }

    /**
     * List the kinds of gateways.
     *
     * `GET /gateways/kinds`
     */
    public function listGatewayKinds(array $options = []): mixed
    {
        return $this->request('GET', '/gateways/kinds', [], null, $options);
    }

    /**
     * Get a gateway.
     *
     * `GET /gateways/{id}`
     */
    public function getGateway(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/gateways/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a gateway.
     *
     * `PUT /gateways/{id}`
     */
    public function updateGateway(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/gateways/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a gateway.
     *
     * `DELETE /gateways/{id}`
     */
    public function deleteGateway(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/gateways/{id}', ['id' => $id], null, $options);
    }

    /**
     * Test a gateway.
     *
     * `POST /gateways/{id}/test`
     */
    public function testGateway(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/gateways/{id}/test', ['id' => $id], null, $options);
    }

    /**
     * List the sending queues.
     *
     * `GET /settings/sending/queues`
     */
    public function listSendingQueues(array $options = []): mixed
    {
        return $this->request('GET', '/settings/sending/queues', [], null, $options);
    }

    /**
     * Control the queue of a destination.
     *
     * `POST /settings/sending/queues/{destination}`
     */
    public function controlSendingQueue(int|string $destination, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/settings/sending/queues/{destination}', ['destination' => $destination], $body, $options);
    }

    /**
     * Get the deliverability report.
     *
     * `GET /deliverability`
     *
     * Query: start, end.
     */
    public function getDeliverability(array $options = []): mixed
    {
        return $this->request('GET', '/deliverability', [], null, $options);
    }

    /**
     * List the saved designs.
     *
     * `GET /designs`
     *
     * Query: limit, after.
     */
    public function listDesigns(array $options = []): mixed
    {
        return $this->request('GET', '/designs', [], null, $options);
    }

    /**
     * Create a saved design.
     *
     * `POST /designs`
     */
    public function createDesign(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/designs', [], $body, $options);
    }

    /**
     * Get a saved design.
     *
     * `GET /designs/{id}`
     */
    public function getDesign(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/designs/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a saved design.
     *
     * `PUT /designs/{id}`
     */
    public function updateDesign(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/designs/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a saved design.
     *
     * `DELETE /designs/{id}`
     */
    public function deleteDesign(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/designs/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a saved design.
     *
     * `GET /designs/{id}/links`
     */
    public function listDesignLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/designs/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the library designs.
     *
     * `GET /designs/library`
     *
     * Query: language.
     */
    public function listLibraryDesigns(array $options = []): mixed
    {
        return $this->request('GET', '/designs/library', [], null, $options);
    }

    /**
     * Render a design or MJML.
     *
     * `POST /designs/render`
     */
    public function renderDesign(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/designs/render', [], $body, $options);
    }

    /**
     * List the media files.
     *
     * `GET /media`
     *
     * Query: limit, after, q, type, newest.
     */
    public function listMedia(array $options = []): mixed
    {
        return $this->request('GET', '/media', [], null, $options);
    }

    /**
     * Upload a media file.
     *
     * `POST /media`
     *
     * Query: name.
     */
    public function uploadMedia(mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/media', [], $body, $options);
    }

    /**
     * Get a media file.
     *
     * `GET /media/{id}`
     */
    public function getMedia(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/media/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a media file.
     *
     * `DELETE /media/{id}`
     *
     * Query: force.
     */
    public function deleteMedia(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/media/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the uses of a media file.
     *
     * `GET /media/{id}/links`
     */
    public function listMediaLinks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/media/{id}/links', ['id' => $id], null, $options);
    }

    /**
     * List the held messages.
     *
     * `GET /settings/sending/held`
     *
     * Query: limit, after, action.
     */
    public function listHeldMessages(array $options = []): mixed
    {
        return $this->request('GET', '/settings/sending/held', [], null, $options);
    }

    /**
     * Send or drop held messages.
     *
     * `POST /settings/sending/held/release`
     */
    public function releaseHeldMessages(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/settings/sending/held/release', [], $body, $options);
    }

    /**
     * Get the report of an action.
     *
     * `GET /actions/{id}/report`
     *
     * Query: start, end.
     */
    public function getActionReport(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/report', ['id' => $id], null, $options);
    }

    /**
     * List the contacts behind the report of an action.
     *
     * `GET /actions/{id}/report/contacts`
     *
     * Query: of, start, end, limit, after.
     */
    public function listActionReportContacts(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/report/contacts', ['id' => $id], null, $options);
    }

    /**
     * Get the report of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/report`
     *
     * Query: start, end.
     */
    public function getRcsActionReport(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/report', ['id' => $id], null, $options);
    }

    /**
     * List the contacts behind the report of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/report/contacts`
     *
     * Query: of, start, end, limit, after.
     */
    public function listRcsActionReportContacts(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/report/contacts', ['id' => $id], null, $options);
    }

    /**
     * Get the report of a notification.
     *
     * `GET /notifications/{id}/report`
     *
     * Query: start, end.
     */
    public function getNotificationReport(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/report', ['id' => $id], null, $options);
    }

    /**
     * List the contacts behind the report of a notification.
     *
     * `GET /notifications/{id}/report/contacts`
     *
     * Query: of, start, end, limit, after.
     */
    public function listNotificationReportContacts(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/report/contacts', ['id' => $id], null, $options);
    }

    /**
     * Create an action.
     *
     * `POST /actions`
     */
    public function createAction(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions', [], $body, $options);
    }

    /**
     * List the actions.
     *
     * `GET /actions`
     *
     * Query: limit, after, creation_start, creation_end, category, campaign, name, report, state, sort, type.
     */
    public function listActions(array $options = []): mixed
    {
        return $this->request('GET', '/actions', [], null, $options);
    }

    /**
     * Get an action.
     *
     * `GET /actions/{id}`
     */
    public function getAction(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an action.
     *
     * `PUT /actions/{id}`
     */
    public function updateAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/actions/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete an action.
     *
     * `DELETE /actions/{id}`
     */
    public function deleteAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/actions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Duplicate an action.
     *
     * `POST /actions/{id}/duplication`
     *
     * Query: type, folder.
     */
    public function duplicateAction(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/duplication', ['id' => $id], null, $options);
    }

    /**
     * Test or validate an action.
     *
     * `POST /actions/{id}/validation`
     */
    public function validateAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/validation', ['id' => $id], $body, $options);
    }

    /**
     * Cancel the validation of an action.
     *
     * `DELETE /actions/{id}/validation`
     */
    public function unvalidateAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/actions/{id}/validation', ['id' => $id], null, $options);
    }

    /**
     * Pause a campaign.
     *
     * `POST /actions/{id}/pause`
     */
    public function pauseAction(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/pause', ['id' => $id], null, $options);
    }

    /**
     * Resume a paused campaign.
     *
     * `DELETE /actions/{id}/pause`
     */
    public function resumeAction(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/actions/{id}/pause', ['id' => $id], null, $options);
    }

    /**
     * Send a message to one contact.
     *
     * `POST /actions/{id}/execution`
     */
    public function executeAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Send a message to many contacts.
     *
     * `POST /actions/{id}/executions`
     */
    public function executeActionBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * Render a message for one contact.
     *
     * `POST /actions/{id}/render`
     */
    public function renderAction(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/render', ['id' => $id], $body, $options);
    }

    /**
     * Render messages for many contacts.
     *
     * `POST /actions/{id}/renders`
     */
    public function renderActionBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/renders', ['id' => $id], $body, $options);
    }

    /**
     * Create the links of a message.
     *
     * `POST /actions/{id}/render/links`
     */
    public function renderActionLinks(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/render/links', ['id' => $id], $body, $options);
    }

    /**
     * Email a file of the recipients of an action.
     *
     * `GET /actions/{id}/export/recipients`
     */
    public function mailActionRecipients(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/recipients', ['id' => $id], null, $options);
    }

    /**
     * Download the recipients of an action.
     *
     * `GET /actions/{id}/export/recipients.csv`
     */
    public function exportActionRecipients(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/recipients.csv', ['id' => $id], null, $options);
    }

    /**
     * Email a file of the opens of an action.
     *
     * `GET /actions/{id}/export/tracking/opens`
     */
    public function mailActionOpens(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/tracking/opens', ['id' => $id], null, $options);
    }

    /**
     * Download the opens of an action.
     *
     * `GET /actions/{id}/export/tracking/opens.csv`
     */
    public function exportActionOpens(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/tracking/opens.csv', ['id' => $id], null, $options);
    }

    /**
     * Email a file of the clicks of an action.
     *
     * `GET /actions/{id}/export/tracking/clicks`
     */
    public function mailActionClicks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/tracking/clicks', ['id' => $id], null, $options);
    }

    /**
     * Download the clicks of an action.
     *
     * `GET /actions/{id}/export/tracking/clicks.csv`
     */
    public function exportActionClicks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/export/tracking/clicks.csv', ['id' => $id], null, $options);
    }

    /**
     * Download an export file.
     *
     * `GET /exports/{token}`
     */
    public function downloadExport(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/exports/{token}', ['token' => $token], null, $options);
    }

    /**
     * List the archives of the account.
     *
     * `GET /actions/archives`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listArchives(array $options = []): mixed
    {
        return $this->request('GET', '/actions/archives', [], null, $options);
    }

    /**
     * List the archives of an action.
     *
     * `GET /actions/{id}/archives`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listActionArchives(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/archives', ['id' => $id], null, $options);
    }

    /**
     * List the archives of an action for a contact.
     *
     * `GET /actions/{id}/targets/{target}/archives`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listActionTargetArchives(int|string $id, int|string $target, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/targets/{target}/archives', ['id' => $id, 'target' => $target], null, $options);
    }

    /**
     * List the archives of a contact.
     *
     * `GET /targets/{id}/archives`
     *
     * Query: limit, after, startDate, endDate.
     */
    public function listTargetArchives(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/archives', ['id' => $id], null, $options);
    }

    /**
     * Get the archive of a message.
     *
     * `GET /actions/stamp/{id}/archives`
     */
    public function listStampArchives(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/stamp/{id}/archives', ['id' => $id], null, $options);
    }

    /**
     * Download an archived email.
     *
     * `GET /archives/{token}`
     */
    public function downloadArchive(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/archives/{token}', ['token' => $token], null, $options);
    }

    /**
     * List the display campaigns.
     *
     * `GET /display/campaign`
     *
     * Query: limit, after, report.
     */
    public function listDisplayCampaigns(array $options = []): mixed
    {
        return $this->request('GET', '/display/campaign', [], null, $options);
    }

    /**
     * Create a display campaign.
     *
     * `POST /display/campaign`
     */
    public function createDisplayCampaign(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/display/campaign', [], $body, $options);
    }

    /**
     * Get a display campaign.
     *
     * `GET /display/campaign/{id}`
     */
    public function getDisplayCampaign(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/campaign/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a display campaign.
     *
     * `PUT /display/campaign/{id}`
     */
    public function updateDisplayCampaign(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/display/campaign/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a display campaign.
     *
     * `DELETE /display/campaign/{id}`
     */
    public function deleteDisplayCampaign(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/display/campaign/{id}', ['id' => $id], null, $options);
    }

    /**
     * Patch a display campaign.
     *
     * `PATCH /display/campaign/{id}`
     */
    public function patchDisplayCampaign(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PATCH', '/display/campaign/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Get the report of a display campaign.
     *
     * `GET /display/campaign/{id}/report`
     *
     * Query: start, end.
     */
    public function getDisplayCampaignReport(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/campaign/{id}/report', ['id' => $id], null, $options);
    }

    /**
     * List the placements.
     *
     * `GET /display/placement`
     *
     * Query: limit, after.
     */
    public function listDisplayPlacements(array $options = []): mixed
    {
        return $this->request('GET', '/display/placement', [], null, $options);
    }

    /**
     * Create a placement.
     *
     * `POST /display/placement`
     */
    public function createDisplayPlacement(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/display/placement', [], $body, $options);
    }

    /**
     * Get a placement.
     *
     * `GET /display/placement/{id}`
     */
    public function getDisplayPlacement(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/placement/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a placement.
     *
     * `PUT /display/placement/{id}`
     */
    public function updateDisplayPlacement(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/display/placement/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a placement.
     *
     * `DELETE /display/placement/{id}`
     */
    public function deleteDisplayPlacement(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/display/placement/{id}', ['id' => $id], null, $options);
    }

    /**
     * Patch a placement.
     *
     * `PATCH /display/placement/{id}`
     */
    public function patchDisplayPlacement(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PATCH', '/display/placement/{id}', ['id' => $id], $body, $options);
    }

    /**
     * List the display contents.
     *
     * `GET /display/content`
     *
     * Query: limit, after.
     */
    public function listDisplayContents(array $options = []): mixed
    {
        return $this->request('GET', '/display/content', [], null, $options);
    }

    /**
     * Create a display content.
     *
     * `POST /display/content`
     */
    public function createDisplayContent(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/display/content', [], $body, $options);
    }

    /**
     * Get a display content.
     *
     * `GET /display/content/{id}`
     */
    public function getDisplayContent(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/content/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a display content.
     *
     * `PUT /display/content/{id}`
     */
    public function updateDisplayContent(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/display/content/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a display content.
     *
     * `DELETE /display/content/{id}`
     */
    public function deleteDisplayContent(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/display/content/{id}', ['id' => $id], null, $options);
    }

    /**
     * Patch a display content.
     *
     * `PATCH /display/content/{id}`
     */
    public function patchDisplayContent(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PATCH', '/display/content/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Create the tags of a display content.
     *
     * `GET /display/content/{id}/tags`
     *
     * Query: placement, contact.
     */
    public function getDisplayContentTags(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/content/{id}/tags', ['id' => $id], null, $options);
    }

    /**
     * Get the timeline of a contact.
     *
     * `GET /targets/{id}/timeline`
     *
     * Query: before, limit.
     */
    public function listTargetTimeline(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/timeline', ['id' => $id], null, $options);
    }

    /**
     * List the events of email and SMS messages.
     *
     * `GET /actions/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events', [], null, $options);
    }

    /**
     * List the activations of email and SMS messages.
     *
     * `GET /actions/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionActivationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/activations', [], null, $options);
    }

    /**
     * List the cancellations of email and SMS messages.
     *
     * `GET /actions/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionCancellationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/cancellations', [], null, $options);
    }

    /**
     * List the bounces of email and SMS messages.
     *
     * `GET /actions/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionBounceEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/bounces', [], null, $options);
    }

    /**
     * List the complaints of email and SMS messages.
     *
     * `GET /actions/events/complaints`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionComplaintEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/complaints', [], null, $options);
    }

    /**
     * List the STOP replies of email and SMS messages.
     *
     * `GET /actions/events/responses/stop`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionStopResponseEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/responses/stop', [], null, $options);
    }

    /**
     * List the hits of email and SMS messages.
     *
     * `GET /actions/events/hits`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits', [], null, $options);
    }

    /**
     * List the opens of email and SMS messages.
     *
     * `GET /actions/events/hits/open`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionOpenHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits/open', [], null, $options);
    }

    /**
     * List the clicks of email and SMS messages.
     *
     * `GET /actions/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionRedirectionHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits/redirection', [], null, $options);
    }

    /**
     * List the unsubscriptions of email and SMS messages.
     *
     * `GET /actions/events/hits/unsubscribe`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionUnsubscribeHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits/unsubscribe', [], null, $options);
    }

    /**
     * List the mirror page views of email and SMS messages.
     *
     * `GET /actions/events/hits/mirror`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionMirrorHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits/mirror', [], null, $options);
    }

    /**
     * List the form responses of email and SMS messages.
     *
     * `GET /actions/events/hits/form`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllActionFormHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/actions/events/hits/form', [], null, $options);
    }

    /**
     * List the events of an action.
     *
     * `GET /actions/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * List the activations of an action.
     *
     * `GET /actions/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the cancellations of an action.
     *
     * `GET /actions/{id}/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionCancellationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/cancellations', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of an action.
     *
     * `GET /actions/{id}/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionBounceEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the complaints of an action.
     *
     * `GET /actions/{id}/events/complaints`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionComplaintEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/complaints', ['id' => $id], null, $options);
    }

    /**
     * List the STOP replies of an action.
     *
     * `GET /actions/{id}/events/responses/stop`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionStopResponseEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/responses/stop', ['id' => $id], null, $options);
    }

    /**
     * List the hits of an action.
     *
     * `GET /actions/{id}/events/hits`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits', ['id' => $id], null, $options);
    }

    /**
     * List the opens of an action.
     *
     * `GET /actions/{id}/events/hits/open`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionOpenHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits/open', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of an action.
     *
     * `GET /actions/{id}/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionRedirectionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * List the unsubscriptions of an action.
     *
     * `GET /actions/{id}/events/hits/unsubscribe`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionUnsubscribeHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits/unsubscribe', ['id' => $id], null, $options);
    }

    /**
     * List the mirror page views of an action.
     *
     * `GET /actions/{id}/events/hits/mirror`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionMirrorHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits/mirror', ['id' => $id], null, $options);
    }

    /**
     * List the form responses of an action.
     *
     * `GET /actions/{id}/events/hits/form`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listActionFormHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/events/hits/form', ['id' => $id], null, $options);
    }

    /**
     * List the reactions to email and SMS messages.
     *
     * `GET /actions/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities', [], null, $options);
    }

    /**
     * List the bounces of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionBounceReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/bounces', [], null, $options);
    }

    /**
     * List the hits of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits', [], null, $options);
    }

    /**
     * List the opens of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits/open`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionOpenHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits/open', [], null, $options);
    }

    /**
     * List the clicks of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits/redirection`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionRedirectionHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits/redirection', [], null, $options);
    }

    /**
     * List the unsubscriptions of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits/unsubscribe`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionUnsubscribeHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits/unsubscribe', [], null, $options);
    }

    /**
     * List the mirror page views of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits/mirror`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionMirrorHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits/mirror', [], null, $options);
    }

    /**
     * List the form responses of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/hits/form`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionFormHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/hits/form', [], null, $options);
    }

    /**
     * List the complaints of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/complaints`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionComplaintReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/complaints', [], null, $options);
    }

    /**
     * List the STOP replies of email and SMS messages with their activations.
     *
     * `GET /actions/reactivities/responses/stop`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllActionStopResponseReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/actions/reactivities/responses/stop', [], null, $options);
    }

    /**
     * List the reactions to an action.
     *
     * `GET /actions/{id}/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionBounceReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the hits of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits', ['id' => $id], null, $options);
    }

    /**
     * List the opens of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits/open`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionOpenHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits/open', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits/redirection`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionRedirectionHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * List the unsubscriptions of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits/unsubscribe`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionUnsubscribeHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits/unsubscribe', ['id' => $id], null, $options);
    }

    /**
     * List the mirror page views of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits/mirror`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionMirrorHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits/mirror', ['id' => $id], null, $options);
    }

    /**
     * List the form responses of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/hits/form`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionFormHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/hits/form', ['id' => $id], null, $options);
    }

    /**
     * List the complaints of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/complaints`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionComplaintReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/complaints', ['id' => $id], null, $options);
    }

    /**
     * List the STOP replies of an action with their activations.
     *
     * `GET /actions/{id}/reactivities/responses/stop`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listActionStopResponseReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/reactivities/responses/stop', ['id' => $id], null, $options);
    }

    /**
     * List the events of RCS messages.
     *
     * `GET /channel/rcs/actions/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events', [], null, $options);
    }

    /**
     * List the executions of RCS messages.
     *
     * `GET /channel/rcs/actions/events/executions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionExecutionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/executions', [], null, $options);
    }

    /**
     * List the activations of RCS messages.
     *
     * `GET /channel/rcs/actions/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionActivationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/activations', [], null, $options);
    }

    /**
     * List the cancellations of RCS messages.
     *
     * `GET /channel/rcs/actions/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionCancellationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/cancellations', [], null, $options);
    }

    /**
     * List the bounces of RCS messages.
     *
     * `GET /channel/rcs/actions/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionBounceEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/bounces', [], null, $options);
    }

    /**
     * List the deliveries of RCS messages.
     *
     * `GET /channel/rcs/actions/events/deliveries`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionDeliveryEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/deliveries', [], null, $options);
    }

    /**
     * List the interactions of RCS messages.
     *
     * `GET /channel/rcs/actions/events/interactions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionInteractionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/interactions', [], null, $options);
    }

    /**
     * List the reads of RCS messages.
     *
     * `GET /channel/rcs/actions/events/interactions/read`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllRcsActionReadInteractionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/interactions/read', [], null, $options);
    }

    /**
     * List the events of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * List the executions of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/executions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionExecutionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/executions', ['id' => $id], null, $options);
    }

    /**
     * List the activations of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the cancellations of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionCancellationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/cancellations', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionBounceEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the deliveries of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/deliveries`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionDeliveryEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/deliveries', ['id' => $id], null, $options);
    }

    /**
     * List the interactions of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/interactions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionInteractionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/interactions', ['id' => $id], null, $options);
    }

    /**
     * List the reads of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/events/interactions/read`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listRcsActionReadInteractionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/events/interactions/read', ['id' => $id], null, $options);
    }

    /**
     * List the events of an RCS message or thread.
     *
     * `GET /channel/rcs/actions/events/stamp`
     *
     * Query: id, thread, classification, classifications.
     */
    public function listRcsStampEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/stamp', [], null, $options);
    }

    /**
     * List the events of a phone number and an agent.
     *
     * `GET /channel/rcs/actions/events/lookup`
     *
     * Query: phone, agent, type, start, end, classification, classifications, limit, after.
     */
    public function lookUpRcsEvents(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/events/lookup', [], null, $options);
    }

    /**
     * List the reactions to RCS messages.
     *
     * `GET /channel/rcs/actions/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllRcsActionReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/reactivities', [], null, $options);
    }

    /**
     * List the bounces of RCS messages with their activations.
     *
     * `GET /channel/rcs/actions/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllRcsActionBounceReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/reactivities/bounces', [], null, $options);
    }

    /**
     * List the deliveries of RCS messages with their activations.
     *
     * `GET /channel/rcs/actions/reactivities/deliveries`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllRcsActionDeliveryReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/reactivities/deliveries', [], null, $options);
    }

    /**
     * List the interactions of RCS messages with their activations.
     *
     * `GET /channel/rcs/actions/reactivities/interactions`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllRcsActionInteractionReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/reactivities/interactions', [], null, $options);
    }

    /**
     * List the reads of RCS messages with their activations.
     *
     * `GET /channel/rcs/actions/reactivities/interactions/read`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllRcsActionReadInteractionReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/reactivities/interactions/read', [], null, $options);
    }

    /**
     * List the reactions to an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listRcsActionReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/reactivities', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of an RCS action with their activations.
     *
     * `GET /channel/rcs/actions/{id}/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listRcsActionBounceReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/reactivities/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the deliveries of an RCS action with their activations.
     *
     * `GET /channel/rcs/actions/{id}/reactivities/deliveries`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listRcsActionDeliveryReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/reactivities/deliveries', ['id' => $id], null, $options);
    }

    /**
     * List the interactions of an RCS action with their activations.
     *
     * `GET /channel/rcs/actions/{id}/reactivities/interactions`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listRcsActionInteractionReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/reactivities/interactions', ['id' => $id], null, $options);
    }

    /**
     * List the reads of an RCS action with their activations.
     *
     * `GET /channel/rcs/actions/{id}/reactivities/interactions/read`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listRcsActionReadInteractionReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/reactivities/interactions/read', ['id' => $id], null, $options);
    }

    /**
     * List the hits of notifications.
     *
     * `GET /notifications/events/hits`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/hits', [], null, $options);
    }

    /**
     * List the activations of notifications.
     *
     * `GET /notifications/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationActivationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/activations', [], null, $options);
    }

    /**
     * List the executions of notifications.
     *
     * `GET /notifications/events/executions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationExecutionEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/executions', [], null, $options);
    }

    /**
     * List the cancellations of notifications.
     *
     * `GET /notifications/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationCancellationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/cancellations', [], null, $options);
    }

    /**
     * List the bounces of notifications.
     *
     * `GET /notifications/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationBounceEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/bounces', [], null, $options);
    }

    /**
     * List the opt-outs of notifications.
     *
     * `GET /notifications/events/optouts`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllNotificationOptOutEvents(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/events/optouts', [], null, $options);
    }

    /**
     * List the events of a notification.
     *
     * `GET /notifications/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * List the impressions of a notification.
     *
     * `GET /notifications/{id}/events/impressions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationImpressionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/impressions', ['id' => $id], null, $options);
    }

    /**
     * List the hits of a notification.
     *
     * `GET /notifications/{id}/events/hits`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/hits', ['id' => $id], null, $options);
    }

    /**
     * List the activations of a notification.
     *
     * `GET /notifications/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the executions of a notification.
     *
     * `GET /notifications/{id}/events/executions`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationExecutionEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/executions', ['id' => $id], null, $options);
    }

    /**
     * List the cancellations of a notification.
     *
     * `GET /notifications/{id}/events/cancellations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationCancellationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/cancellations', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of a notification.
     *
     * `GET /notifications/{id}/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationBounceEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the opt-outs of a notification.
     *
     * `GET /notifications/{id}/events/optouts`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listNotificationOptOutEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/events/optouts', ['id' => $id], null, $options);
    }

    /**
     * List the reactions to notifications.
     *
     * `GET /notifications/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllNotificationReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/reactivities', [], null, $options);
    }

    /**
     * List the impressions of notifications with their activations.
     *
     * `GET /notifications/reactivities/impressions`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllNotificationImpressionReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/reactivities/impressions', [], null, $options);
    }

    /**
     * List the hits of notifications with their activations.
     *
     * `GET /notifications/reactivities/hits`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllNotificationHitReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/reactivities/hits', [], null, $options);
    }

    /**
     * List the opt-outs of notifications with their activations.
     *
     * `GET /notifications/reactivities/optouts`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllNotificationOptOutReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/reactivities/optouts', [], null, $options);
    }

    /**
     * List the bounces of notifications with their activations.
     *
     * `GET /notifications/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listAllNotificationBounceReactivities(array $options = []): mixed
    {
        return $this->request('GET', '/notifications/reactivities/bounces', [], null, $options);
    }

    /**
     * List the reactions to a notification.
     *
     * `GET /notifications/{id}/reactivities`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listNotificationReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/reactivities', ['id' => $id], null, $options);
    }

    /**
     * List the impressions of a notification with their activations.
     *
     * `GET /notifications/{id}/reactivities/impressions`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listNotificationImpressionReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/reactivities/impressions', ['id' => $id], null, $options);
    }

    /**
     * List the hits of a notification with their activations.
     *
     * `GET /notifications/{id}/reactivities/hits`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listNotificationHitReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/reactivities/hits', ['id' => $id], null, $options);
    }

    /**
     * List the opt-outs of a notification with their activations.
     *
     * `GET /notifications/{id}/reactivities/optouts`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listNotificationOptOutReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/reactivities/optouts', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of a notification with their activations.
     *
     * `GET /notifications/{id}/reactivities/bounces`
     *
     * Query: activationStart, activationEnd, reactivityStart, reactivityEnd, sort, classification, classifications, bucket, zone, limit, after.
     */
    public function listNotificationBounceReactivities(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/notifications/{id}/reactivities/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the events of the contact in the query.
     *
     * `GET /targets/events`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events', [], null, $options);
    }

    /**
     * List the activations of the contact in the query.
     *
     * `GET /targets/events/activations`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetActivationEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/activations', [], null, $options);
    }

    /**
     * List the bounces of the contact in the query.
     *
     * `GET /targets/events/bounces`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetBounceEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/bounces', [], null, $options);
    }

    /**
     * List the complaints of the contact in the query.
     *
     * `GET /targets/events/complaints`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetComplaintEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/complaints', [], null, $options);
    }

    /**
     * List the STOP replies of the contact in the query.
     *
     * `GET /targets/events/responses/stop`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetStopResponseEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/responses/stop', [], null, $options);
    }

    /**
     * List the hits of the contact in the query.
     *
     * `GET /targets/events/hits`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits', [], null, $options);
    }

    /**
     * List the opens of the contact in the query.
     *
     * `GET /targets/events/hits/open`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetOpenHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits/open', [], null, $options);
    }

    /**
     * List the clicks of the contact in the query.
     *
     * `GET /targets/events/hits/redirection`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetRedirectionHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits/redirection', [], null, $options);
    }

    /**
     * List the unsubscriptions of the contact in the query.
     *
     * `GET /targets/events/hits/unsubscribe`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetUnsubscribeHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits/unsubscribe', [], null, $options);
    }

    /**
     * List the mirror page views of the contact in the query.
     *
     * `GET /targets/events/hits/mirror`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetMirrorHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits/mirror', [], null, $options);
    }

    /**
     * List the form responses of the contact in the query.
     *
     * `GET /targets/events/hits/form`
     *
     * Query: id, unicity, hash, start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetFormHitEventsByQuery(array $options = []): mixed
    {
        return $this->request('GET', '/targets/events/hits/form', [], null, $options);
    }

    /**
     * List the events of a contact.
     *
     * `GET /targets/{id}/events`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * List the activations of a contact.
     *
     * `GET /targets/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the bounces of a contact.
     *
     * `GET /targets/{id}/events/bounces`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetBounceEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/bounces', ['id' => $id], null, $options);
    }

    /**
     * List the hits of a contact.
     *
     * `GET /targets/{id}/events/hits`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits', ['id' => $id], null, $options);
    }

    /**
     * List the opens of a contact.
     *
     * `GET /targets/{id}/events/hits/open`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetOpenHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits/open', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of a contact.
     *
     * `GET /targets/{id}/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetRedirectionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * List the unsubscriptions of a contact.
     *
     * `GET /targets/{id}/events/hits/unsubscribe`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetUnsubscribeHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits/unsubscribe', ['id' => $id], null, $options);
    }

    /**
     * List the mirror page views of a contact.
     *
     * `GET /targets/{id}/events/hits/mirror`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetMirrorHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits/mirror', ['id' => $id], null, $options);
    }

    /**
     * List the form responses of a contact.
     *
     * `GET /targets/{id}/events/hits/form`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listTargetFormHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/events/hits/form', ['id' => $id], null, $options);
    }

    /**
     * List the activations of display contents.
     *
     * `GET /display/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllDisplayActivationEvents(array $options = []): mixed
    {
        return $this->request('GET', '/display/events/activations', [], null, $options);
    }

    /**
     * List the clicks of display contents.
     *
     * `GET /display/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listAllDisplayRedirectionHitEvents(array $options = []): mixed
    {
        return $this->request('GET', '/display/events/hits/redirection', [], null, $options);
    }

    /**
     * List the activations of a display campaign.
     *
     * `GET /display/campaign/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayCampaignActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/campaign/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of a display campaign.
     *
     * `GET /display/campaign/{id}/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayCampaignRedirectionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/campaign/{id}/events/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * List the activations of a placement.
     *
     * `GET /display/placement/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayPlacementActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/placement/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of a placement.
     *
     * `GET /display/placement/{id}/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayPlacementRedirectionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/placement/{id}/events/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * List the activations of a display content.
     *
     * `GET /display/content/{id}/events/activations`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayContentActivationEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/content/{id}/events/activations', ['id' => $id], null, $options);
    }

    /**
     * List the clicks of a display content.
     *
     * `GET /display/content/{id}/events/hits/redirection`
     *
     * Query: start, end, sort, classification, classifications, limit, after.
     */
    public function listDisplayContentRedirectionHitEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/display/content/{id}/events/hits/redirection', ['id' => $id], null, $options);
    }

    /**
     * Get a message as it was sent.
     *
     * `GET /messages/{stamp}`
     */
    public function getMessage(int|string $stamp, array $options = []): mixed
    {
        return $this->request('GET', '/messages/{stamp}', ['stamp' => $stamp], null, $options);
    }

    /**
     * Preview the audience of an action.
     *
     * `POST /actions/{id}/audience`
     */
    public function previewActionAudience(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/audience', ['id' => $id], $body, $options);
    }

    /**
     * Preview the audience of an RCS action.
     *
     * `POST /channel/rcs/actions/{id}/audience`
     */
    public function previewRcsActionAudience(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/audience', ['id' => $id], $body, $options);
    }

    /**
     * Preview the audience of a notification.
     *
     * `POST /notifications/{id}/audience`
     */
    public function previewNotificationAudience(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/notifications/{id}/audience', ['id' => $id], $body, $options);
    }

    /**
     * Get the reachability of a contact.
     *
     * `GET /targets/{id}/reachability`
     *
     * Query: purpose, topic.
     */
    public function getTargetReachability(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/reachability', ['id' => $id], null, $options);
    }

    /**
     * Get the event settings.
     *
     * `GET /settings/events`
     */
    public function getEventSettings(array $options = []): mixed
    {
        return $this->request('GET', '/settings/events', [], null, $options);
    }

    /**
     * Update the event settings.
     *
     * `PUT /settings/events`
     */
    public function updateEventSettings(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/settings/events', [], $body, $options);
    }

    /**
     * List the webhooks.
     *
     * `GET /webhooks`
     *
     * Query: limit, after.
     */
    public function listWebhooks(array $options = []): mixed
    {
        return $this->request('GET', '/webhooks', [], null, $options);
    }

    /**
     * Create a webhook.
     *
     * `POST /webhooks`
     */
    public function createWebhook(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/webhooks', [], $body, $options);
    }

    /**
     * Get a webhook.
     *
     * `GET /webhooks/{id}`
     */
    public function getWebhook(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/webhooks/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a webhook.
     *
     * `PUT /webhooks/{id}`
     */
    public function updateWebhook(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/webhooks/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete a webhook.
     *
     * `DELETE /webhooks/{id}`
     */
    public function deleteWebhook(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/webhooks/{id}', ['id' => $id], null, $options);
    }

    /**
     * Patch a webhook.
     *
     * `PATCH /webhooks/{id}`
     */
    public function patchWebhook(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/webhooks/{id}', ['id' => $id], $body, $options);
    }

    /**
     * List the dead letters of a webhook.
     *
     * `GET /webhooks/{id}/deadletters`
     *
     * Query: limit, after.
     */
    public function listWebhookDeadLetters(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/webhooks/{id}/deadletters', ['id' => $id], null, $options);
    }

    /**
     * Delete dead letters of a webhook.
     *
     * `DELETE /webhooks/{id}/deadletters`
     */
    public function deleteWebhookDeadLetters(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('DELETE', '/webhooks/{id}/deadletters', ['id' => $id], $body, $options);
    }

    /**
     * Replay dead letters of a webhook.
     *
     * `POST /webhooks/{id}/deadletters/replay`
     */
    public function replayWebhookDeadLetters(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/webhooks/{id}/deadletters/replay', ['id' => $id], $body, $options);
    }

    /**
     * List the recent requests to a webhook.
     *
     * `GET /webhooks/{id}/deliveries`
     *
     * Query: limit, after.
     */
    public function listWebhookDeliveries(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/webhooks/{id}/deliveries', ['id' => $id], null, $options);
    }

    /**
     * Rotate the secret of a webhook.
     *
     * `POST /webhooks/{id}/secret`
     */
    public function renewWebhookSecret(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/webhooks/{id}/secret', ['id' => $id], null, $options);
    }

    /**
     * Send a test event to a webhook.
     *
     * `POST /webhooks/{id}/test`
     */
    public function testWebhook(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/webhooks/{id}/test', ['id' => $id], null, $options);
    }

    /**
     * List the workflows.
     *
     * `GET /scripting/workflows`
     *
     * Query: limit, after, state, name.
     */
    public function listWorkflows(array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows', [], null, $options);
    }

    /**
     * Create a workflow.
     *
     * `POST /scripting/workflows`
     */
    public function createWorkflow(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows', [], $body, $options);
    }

    /**
     * Get a workflow.
     *
     * `GET /scripting/workflows/{id}`
     */
    public function getWorkflow(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a workflow.
     *
     * `DELETE /scripting/workflows/{id}`
     */
    public function deleteWorkflow(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a workflow.
     *
     * `PUT /scripting/workflows/{id}`
     */
    public function updateWorkflow(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Patch a workflow.
     *
     * `PATCH /scripting/workflows/{id}`
     */
    public function patchWorkflow(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/scripting/workflows/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Activate a workflow.
     *
     * `POST /scripting/workflows/{id}/activation`
     */
    public function activateWorkflow(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Deactivate a workflow.
     *
     * `DELETE /scripting/workflows/{id}/activation`
     *
     * Query: open.
     */
    public function deactivateWorkflow(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/activation', ['id' => $id], null, $options);
    }

    /**
     * Duplicate a workflow.
     *
     * `POST /scripting/workflows/{id}/duplication`
     */
    public function duplicateWorkflow(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/duplication', ['id' => $id], null, $options);
    }

    /**
     * List the flaws of a workflow.
     *
     * `GET /scripting/workflows/{id}/flaws`
     */
    public function listWorkflowFlaws(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/flaws', ['id' => $id], null, $options);
    }

    /**
     * List the versions of a workflow.
     *
     * `GET /scripting/workflows/{id}/versions`
     */
    public function listWorkflowVersions(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/versions', ['id' => $id], null, $options);
    }

    /**
     * Get a version of a workflow.
     *
     * `GET /scripting/workflows/{id}/versions/{version}`
     */
    public function getWorkflowVersion(int|string $id, int|string $version, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/versions/{version}', ['id' => $id, 'version' => $version], null, $options);
    }

    /**
     * Get the listeners of a workflow.
     *
     * `GET /scripting/workflows/{id}/listeners`
     */
    public function listWorkflowListeners(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/listeners', ['id' => $id], null, $options);
    }

    /**
     * Replace the listeners of a workflow.
     *
     * `PUT /scripting/workflows/{id}/listeners`
     */
    public function replaceWorkflowListeners(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/listeners', ['id' => $id], $body, $options);
    }

    /**
     * Delete the listeners of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/listeners`
     */
    public function deleteWorkflowListeners(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/listeners', ['id' => $id], null, $options);
    }

    /**
     * Get the tasks of a workflow.
     *
     * `GET /scripting/workflows/{id}/tasks`
     */
    public function listWorkflowTasks(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/tasks', ['id' => $id], null, $options);
    }

    /**
     * Replace the tasks of a workflow.
     *
     * `PUT /scripting/workflows/{id}/tasks`
     */
    public function replaceWorkflowTasks(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/tasks', ['id' => $id], $body, $options);
    }

    /**
     * Delete the tasks of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/tasks`
     */
    public function deleteWorkflowTasks(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/tasks', ['id' => $id], null, $options);
    }

    /**
     * Get the nodes of a workflow.
     *
     * `GET /scripting/workflows/{id}/nodes`
     */
    public function listWorkflowNodes(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/nodes', ['id' => $id], null, $options);
    }

    /**
     * Replace the nodes of a workflow.
     *
     * `PUT /scripting/workflows/{id}/nodes`
     */
    public function replaceWorkflowNodes(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/nodes', ['id' => $id], $body, $options);
    }

    /**
     * Delete the nodes of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/nodes`
     */
    public function deleteWorkflowNodes(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/nodes', ['id' => $id], null, $options);
    }

    /**
     * Get the capping of a workflow.
     *
     * `GET /scripting/workflows/{id}/capping`
     */
    public function getWorkflowCapping(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/capping', ['id' => $id], null, $options);
    }

    /**
     * Replace the capping of a workflow.
     *
     * `PUT /scripting/workflows/{id}/capping`
     */
    public function replaceWorkflowCapping(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/capping', ['id' => $id], $body, $options);
    }

    /**
     * Delete the capping of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/capping`
     */
    public function deleteWorkflowCapping(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/capping', ['id' => $id], null, $options);
    }

    /**
     * Get the scripting of a workflow.
     *
     * `GET /scripting/workflows/{id}/scripting`
     */
    public function getWorkflowScripting(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/scripting', ['id' => $id], null, $options);
    }

    /**
     * Replace the scripting of a workflow.
     *
     * `PUT /scripting/workflows/{id}/scripting`
     */
    public function replaceWorkflowScripting(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/scripting', ['id' => $id], $body, $options);
    }

    /**
     * Delete the scripting of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/scripting`
     */
    public function deleteWorkflowScripting(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/scripting', ['id' => $id], null, $options);
    }

    /**
     * Patch the scripting of a workflow.
     *
     * `PATCH /scripting/workflows/{id}/scripting`
     */
    public function patchWorkflowScripting(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/scripting/workflows/{id}/scripting', ['id' => $id], $body, $options);
    }

    /**
     * Get the settings of a workflow.
     *
     * `GET /scripting/workflows/{id}/settings`
     */
    public function getWorkflowSettings(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/settings', ['id' => $id], null, $options);
    }

    /**
     * Replace the settings of a workflow.
     *
     * `PUT /scripting/workflows/{id}/settings`
     */
    public function replaceWorkflowSettings(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/workflows/{id}/settings', ['id' => $id], $body, $options);
    }

    /**
     * Delete the settings of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/settings`
     */
    public function deleteWorkflowSettings(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/settings', ['id' => $id], null, $options);
    }

    /**
     * Patch the settings of a workflow.
     *
     * `PATCH /scripting/workflows/{id}/settings`
     */
    public function patchWorkflowSettings(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/scripting/workflows/{id}/settings', ['id' => $id], $body, $options);
    }

    /**
     * Get the results of an experiment.
     *
     * `GET /scripting/workflows/{id}/nodes/{node}/experiment`
     */
    public function getWorkflowNodeExperiment(int|string $id, int|string $node, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/nodes/{node}/experiment', ['id' => $id, 'node' => $node], null, $options);
    }

    /**
     * Get the experiment of an action.
     *
     * `GET /actions/{id}/experiment`
     */
    public function getActionExperiment(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/actions/{id}/experiment', ['id' => $id], null, $options);
    }

    /**
     * Choose a version for an action.
     *
     * `POST /actions/{id}/experiment/decision`
     */
    public function decideActionExperiment(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/experiment/decision', ['id' => $id], $body, $options);
    }

    /**
     * Get the experiment of an RCS action.
     *
     * `GET /channel/rcs/actions/{id}/experiment`
     */
    public function getRcsActionExperiment(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/channel/rcs/actions/{id}/experiment', ['id' => $id], null, $options);
    }

    /**
     * Choose a version for an RCS action.
     *
     * `POST /channel/rcs/actions/{id}/experiment/decision`
     */
    public function decideRcsActionExperiment(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/channel/rcs/actions/{id}/experiment/decision', ['id' => $id], $body, $options);
    }

    /**
     * Start or resume a run of a workflow.
     *
     * `POST /scripting/workflows/{id}/execution`
     */
    public function executeWorkflow(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Start or resume up to 1,000 runs.
     *
     * `POST /scripting/workflows/{id}/executions`
     */
    public function executeWorkflowBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * Simulate a run of a workflow.
     *
     * `POST /scripting/workflows/{id}/simulation`
     */
    public function simulateWorkflow(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/simulation', ['id' => $id], $body, $options);
    }

    /**
     * Execute a task of a workflow.
     *
     * `POST /scripting/workflows/{id}/tasks/{uuid}/execution`
     */
    public function executeWorkflowTask(int|string $id, int|string $uuid, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/tasks/{uuid}/execution', ['id' => $id, 'uuid' => $uuid], $body, $options);
    }

    /**
     * Get an execution of a task.
     *
     * `GET /scripting/workflows/{id}/tasks/{uuid}/executions/{firing}`
     */
    public function getWorkflowTaskExecution(int|string $id, int|string $uuid, int|string $firing, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/tasks/{uuid}/executions/{firing}', ['id' => $id, 'uuid' => $uuid, 'firing' => $firing], null, $options);
    }

    /**
     * List the runs of a workflow.
     *
     * `GET /scripting/workflows/{id}/runs`
     *
     * Query: limit, after, contact, unicity, hash, status, node, version, start, end, sort.
     */
    public function listWorkflowRuns(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/runs', ['id' => $id], null, $options);
    }

    /**
     * List the events published by a workflow.
     *
     * `GET /scripting/workflows/{id}/events`
     *
     * Query: limit, after, start, end, sort.
     */
    public function listWorkflowEvents(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/events', ['id' => $id], null, $options);
    }

    /**
     * Get a run of a workflow.
     *
     * `GET /scripting/workflows/{id}/runs/{run}`
     */
    public function getWorkflowRun(int|string $id, int|string $run, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/runs/{run}', ['id' => $id, 'run' => $run], null, $options);
    }

    /**
     * Kill a run of a workflow.
     *
     * `DELETE /scripting/workflows/{id}/runs/{run}`
     */
    public function killWorkflowRun(int|string $id, int|string $run, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/workflows/{id}/runs/{run}', ['id' => $id, 'run' => $run], null, $options);
    }

    /**
     * Retry a failed run of a workflow.
     *
     * `POST /scripting/workflows/{id}/runs/{run}/retry`
     */
    public function retryWorkflowRun(int|string $id, int|string $run, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/workflows/{id}/runs/{run}/retry', ['id' => $id, 'run' => $run], null, $options);
    }

    /**
     * Get the statistics of a workflow.
     *
     * `GET /scripting/workflows/{id}/statistics`
     *
     * Query: version, start, end.
     */
    public function getWorkflowStatistics(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/workflows/{id}/statistics', ['id' => $id], null, $options);
    }

    /**
     * List the compilables.
     *
     * `GET /scripting/compilables`
     *
     * Query: limit, after, name, state.
     */
    public function listCompilables(array $options = []): mixed
    {
        return $this->request('GET', '/scripting/compilables', [], null, $options);
    }

    /**
     * Create a compilable.
     *
     * `POST /scripting/compilables`
     */
    public function createCompilable(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/compilables', [], $body, $options);
    }

    /**
     * Get a compilable.
     *
     * `GET /scripting/compilables/{id}`
     */
    public function getCompilable(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/compilables/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a compilable.
     *
     * `DELETE /scripting/compilables/{id}`
     */
    public function deleteCompilable(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/compilables/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a compilable.
     *
     * `PUT /scripting/compilables/{id}`
     */
    public function updateCompilable(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/compilables/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Patch a compilable.
     *
     * `PATCH /scripting/compilables/{id}`
     */
    public function patchCompilable(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/scripting/compilables/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Duplicate a compilable.
     *
     * `POST /scripting/compilables/{id}/duplication`
     */
    public function duplicateCompilable(int|string $id, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/compilables/{id}/duplication', ['id' => $id], null, $options);
    }

    /**
     * List the flaws of a compilable.
     *
     * `GET /scripting/compilables/{id}/flaws`
     */
    public function listCompilableFlaws(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/compilables/{id}/flaws', ['id' => $id], null, $options);
    }

    /**
     * Execute a compilable.
     *
     * `POST /scripting/compilables/{id}/execution`
     */
    public function executeCompilable(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/compilables/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Preview a compilable.
     *
     * `POST /scripting/compilables/{id}/preview`
     */
    public function previewCompilable(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/compilables/{id}/preview', ['id' => $id], $body, $options);
    }

    /**
     * List the webtasks.
     *
     * `GET /scripting/webtasks`
     *
     * Query: limit, after, name.
     */
    public function listWebtasks(array $options = []): mixed
    {
        return $this->request('GET', '/scripting/webtasks', [], null, $options);
    }

    /**
     * Create a webtask.
     *
     * `POST /scripting/webtasks`
     */
    public function createWebtask(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/webtasks', [], $body, $options);
    }

    /**
     * Get a webtask.
     *
     * `GET /scripting/webtasks/{id}`
     */
    public function getWebtask(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/webtasks/{id}', ['id' => $id], null, $options);
    }

    /**
     * Delete a webtask.
     *
     * `DELETE /scripting/webtasks/{id}`
     */
    public function deleteWebtask(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/webtasks/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update a webtask.
     *
     * `PUT /scripting/webtasks/{id}`
     */
    public function updateWebtask(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/webtasks/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Patch a webtask.
     *
     * `PATCH /scripting/webtasks/{id}`
     */
    public function patchWebtask(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PATCH', '/scripting/webtasks/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Check a webtask before saving.
     *
     * `POST /scripting/webtasks/flaws`
     */
    public function checkWebtask(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/webtasks/flaws', [], $body, $options);
    }

    /**
     * Get the script of a webtask.
     *
     * `GET /scripting/webtasks/{id}/script`
     */
    public function getWebtaskScript(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/webtasks/{id}/script', ['id' => $id], null, $options);
    }

    /**
     * Replace the script of a webtask.
     *
     * `PUT /scripting/webtasks/{id}/script`
     */
    public function replaceWebtaskScript(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/scripting/webtasks/{id}/script', ['id' => $id], $body, $options);
    }

    /**
     * Create a webtask token without data.
     *
     * `GET /scripting/webtasks/{id}/cipher`
     */
    public function createWebtaskTokenWithoutData(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/webtasks/{id}/cipher', ['id' => $id], null, $options);
    }

    /**
     * Create a webtask token.
     *
     * `POST /scripting/webtasks/{id}/cipher`
     */
    public function createWebtaskToken(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/webtasks/{id}/cipher', ['id' => $id], $body, $options);
    }

    /**
     * Revoke the tokens of a webtask.
     *
     * `DELETE /scripting/webtasks/{id}/cipher`
     */
    public function revokeWebtaskTokens(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/scripting/webtasks/{id}/cipher', ['id' => $id], null, $options);
    }

    /**
     * Run a webtask.
     *
     * `POST /scripting/webtasks/{id}/execution`
     */
    public function executeWebtask(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/webtasks/{id}/execution', ['id' => $id], $body, $options);
    }

    /**
     * Run a webtask for up to 1,000 items.
     *
     * `POST /scripting/webtasks/{id}/executions`
     */
    public function executeWebtaskBatch(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/scripting/webtasks/{id}/executions', ['id' => $id], $body, $options);
    }

    /**
     * List the runs of a webtask.
     *
     * `GET /scripting/webtasks/{id}/runs`
     *
     * Query: limit, after, start, end, outcome.
     */
    public function listWebtaskRuns(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/scripting/webtasks/{id}/runs', ['id' => $id], null, $options);
    }

    /**
     * Export the data of a contact.
     *
     * `GET /targets/{id}/export`
     */
    public function exportTarget(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/targets/{id}/export', ['id' => $id], null, $options);
    }

    /**
     * List the approvals.
     *
     * `GET /approvals`
     *
     * Query: limit, after, state.
     */
    public function listApprovals(array $options = []): mixed
    {
        return $this->request('GET', '/approvals', [], null, $options);
    }

    /**
     * Request an approval.
     *
     * `POST /approvals`
     */
    public function createApproval(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/approvals', [], $body, $options);
    }

    /**
     * Get an approval.
     *
     * `GET /approvals/{id}`
     */
    public function getApproval(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/approvals/{id}', ['id' => $id], null, $options);
    }

    /**
     * Withdraw a request for approval.
     *
     * `DELETE /approvals/{id}`
     */
    public function withdrawApproval(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/approvals/{id}', ['id' => $id], null, $options);
    }

    /**
     * Decide on an approval.
     *
     * `POST /approvals/{id}/decision`
     */
    public function decideApproval(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/approvals/{id}/decision', ['id' => $id], $body, $options);
    }

    /**
     * Get the sample data.
     *
     * `GET /samples`
     */
    public function getSamples(array $options = []): mixed
    {
        return $this->request('GET', '/samples', [], null, $options);
    }

    /**
     * Create the sample data.
     *
     * `POST /samples`
     */
    public function createSamples(array $options = []): mixed
    {
        return $this->request('POST', '/samples', [], null, $options);
    }

    /**
     * Delete the sample data.
     *
     * `DELETE /samples`
     */
    public function deleteSamples(array $options = []): mixed
    {
        return $this->request('DELETE', '/samples', [], null, $options);
    }

    /**
     * Get the overview of the account.
     *
     * `GET /overview`
     */
    public function getOverview(array $options = []): mixed
    {
        return $this->request('GET', '/overview', [], null, $options);
    }

    /**
     * List the results of all campaigns.
     *
     * `GET /campaigns/results`
     */
    public function listCampaignResults(array $options = []): mixed
    {
        return $this->request('GET', '/campaigns/results', [], null, $options);
    }

    /**
     * Get the results of a campaign.
     *
     * `GET /campaigns/{id}/results`
     */
    public function getCampaignResults(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/campaigns/{id}/results', ['id' => $id], null, $options);
    }

    /**
     * Download a media file.
     *
     * `GET /m/{hash}/{name}`
     */
    public function downloadMedia(int|string $hash, int|string $name, array $options = []): mixed
    {
        return $this->request('GET', '/m/{hash}/{name}', ['hash' => $hash, 'name' => $name], null, $options);
    }

    /**
     * Set up the first user.
     *
     * `POST /auth/setup`
     */
    public function setUpFirstPerson(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/setup', [], $body, $options);
    }

    /**
     * Sign in with a password.
     *
     * `POST /auth/sign-in`
     */
    public function signIn(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/sign-in', [], $body, $options);
    }

    /**
     * Sign in with a passkey.
     *
     * `POST /auth/passkey`
     */
    public function signInByPasskey(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/passkey', [], $body, $options);
    }

    /**
     * Create the options of a passkey request.
     *
     * `POST /auth/passkey/options`
     */
    public function createPasskeyOptions(array $options = []): mixed
    {
        return $this->request('POST', '/auth/passkey/options', [], null, $options);
    }

    /**
     * Complete a sign-in with the second factor.
     *
     * `POST /auth/second-factor`
     */
    public function giveSecondFactor(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/second-factor', [], $body, $options);
    }

    /**
     * Request a password reset.
     *
     * `POST /auth/reset`
     */
    public function requestPasswordReset(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/reset', [], $body, $options);
    }

    /**
     * Set a new password.
     *
     * `POST /auth/reset/password`
     */
    public function resetPasswordByLink(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/reset/password', [], $body, $options);
    }

    /**
     * Set a new password with a token in the path.
     *
     * `POST /auth/reset/{token}`
     */
    public function resetPassword(int|string $token, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/reset/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Show an invitation.
     *
     * `POST /auth/invitations`
     */
    public function showInvitation(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/invitations', [], $body, $options);
    }

    /**
     * Accept an invitation.
     *
     * `POST /auth/invitations/acceptance`
     */
    public function acceptInvitationByLink(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/invitations/acceptance', [], $body, $options);
    }

    /**
     * Get an invitation.
     *
     * `GET /auth/invitations/{token}`
     */
    public function getInvitation(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/auth/invitations/{token}', ['token' => $token], null, $options);
    }

    /**
     * Accept an invitation with a token in the path.
     *
     * `POST /auth/invitations/{token}`
     */
    public function acceptInvitation(int|string $token, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/invitations/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Sign in through the identity provider.
     *
     * `GET /auth/oidc`
     *
     * Query: to.
     */
    public function signInByProvider(array $options = []): mixed
    {
        return $this->request('GET', '/auth/oidc', [], null, $options);
    }

    /**
     * Complete a sign-in through the identity provider.
     *
     * `GET /auth/oidc/callback`
     */
    public function returnFromProvider(array $options = []): mixed
    {
        return $this->request('GET', '/auth/oidc/callback', [], null, $options);
    }

    /**
     * Sign out.
     *
     * `POST /auth/sign-out`
     */
    public function signOut(array $options = []): mixed
    {
        return $this->request('POST', '/auth/sign-out', [], null, $options);
    }

    /**
     * List your sessions.
     *
     * `GET /auth/sessions`
     */
    public function listSessions(array $options = []): mixed
    {
        return $this->request('GET', '/auth/sessions', [], null, $options);
    }

    /**
     * End a session.
     *
     * `DELETE /auth/sessions/{id}`
     */
    public function endSession(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/auth/sessions/{id}', ['id' => $id], null, $options);
    }

    /**
     * Confirm the password or a passkey.
     *
     * `POST /auth/confirm`
     */
    public function confirmPassword(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/auth/confirm', [], $body, $options);
    }

    /**
     * Get the caller.
     *
     * `GET /me`
     */
    public function getMe(array $options = []): mixed
    {
        return $this->request('GET', '/me', [], null, $options);
    }

    /**
     * Update your profile.
     *
     * `PUT /me`
     */
    public function updateMe(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/me', [], $body, $options);
    }

    /**
     * Change your password.
     *
     * `PUT /me/password`
     */
    public function changePassword(mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/me/password', [], $body, $options);
    }

    /**
     * Add an authenticator app.
     *
     * `POST /me/totp`
     */
    public function addTotp(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/me/totp', [], $body, $options);
    }

    /**
     * Remove the authenticator app.
     *
     * `DELETE /me/totp`
     */
    public function removeTotp(array $options = []): mixed
    {
        return $this->request('DELETE', '/me/totp', [], null, $options);
    }

    /**
     * Renew the recovery codes.
     *
     * `POST /me/recovery`
     */
    public function renewRecoveryCodes(array $options = []): mixed
    {
        return $this->request('POST', '/me/recovery', [], null, $options);
    }

    /**
     * List your passkeys.
     *
     * `GET /me/passkeys`
     */
    public function listPasskeys(array $options = []): mixed
    {
        return $this->request('GET', '/me/passkeys', [], null, $options);
    }

    /**
     * Add a passkey.
     *
     * `POST /me/passkeys`
     */
    public function addPasskey(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/me/passkeys', [], $body, $options);
    }

    /**
     * Delete a passkey.
     *
     * `DELETE /me/passkeys/{id}`
     */
    public function deletePasskey(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/me/passkeys/{id}', ['id' => $id], null, $options);
    }

    /**
     * List pending invitations.
     *
     * `GET /people/invitations`
     */
    public function listInvitations(array $options = []): mixed
    {
        return $this->request('GET', '/people/invitations', [], null, $options);
    }

    /**
     * Invite a user to the account.
     *
     * `POST /people/invitations`
     */
    public function createInvitation(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/people/invitations', [], $body, $options);
    }

    /**
     * Withdraw an invitation.
     *
     * `DELETE /people/invitations/{id}`
     */
    public function withdrawInvitation(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/people/invitations/{id}', ['id' => $id], null, $options);
    }

    /**
     * List the users of the account.
     *
     * `GET /people`
     */
    public function listPeople(array $options = []): mixed
    {
        return $this->request('GET', '/people', [], null, $options);
    }

    /**
     * Update a user.
     *
     * `PUT /people/{id}`
     */
    public function updatePerson(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/people/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Remove a user from the account.
     *
     * `DELETE /people/{id}`
     */
    public function removePerson(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/people/{id}', ['id' => $id], null, $options);
    }

    /**
     * List API keys.
     *
     * `GET /keys`
     */
    public function listKeys(array $options = []): mixed
    {
        return $this->request('GET', '/keys', [], null, $options);
    }

    /**
     * Create an API key.
     *
     * `POST /keys`
     */
    public function createKey(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/keys', [], $body, $options);
    }

    /**
     * Revoke an API key.
     *
     * `DELETE /keys/{id}`
     */
    public function revokeKey(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/keys/{id}', ['id' => $id], null, $options);
    }

    /**
     * List accounts.
     *
     * `GET /accounts`
     */
    public function listAccounts(array $options = []): mixed
    {
        return $this->request('GET', '/accounts', [], null, $options);
    }

    /**
     * Create an account.
     *
     * `POST /accounts`
     */
    public function createAccount(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/accounts', [], $body, $options);
    }

    /**
     * Update an account.
     *
     * `PUT /accounts/{code}`
     */
    public function updateAccount(int|string $code, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/accounts/{code}', ['code' => $code], $body, $options);
    }

    /**
     * List the imports.
     *
     * `GET /imports`
     *
     * Query: limit, after.
     */
    public function listImports(array $options = []): mixed
    {
        return $this->request('GET', '/imports', [], null, $options);
    }

    /**
     * Create an import.
     *
     * `POST /imports`
     */
    public function createImport(mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/imports', [], $body, $options);
    }

    /**
     * Get an import.
     *
     * `GET /imports/{id}`
     */
    public function getImport(int|string $id, array $options = []): mixed
    {
        return $this->request('GET', '/imports/{id}', ['id' => $id], null, $options);
    }

    /**
     * Update an import.
     *
     * `PUT /imports/{id}`
     */
    public function updateImport(int|string $id, mixed $body, array $options = []): mixed
    {
        return $this->request('PUT', '/imports/{id}', ['id' => $id], $body, $options);
    }

    /**
     * Delete an import.
     *
     * `DELETE /imports/{id}`
     */
    public function deleteImport(int|string $id, array $options = []): mixed
    {
        return $this->request('DELETE', '/imports/{id}', ['id' => $id], null, $options);
    }

    /**
     * Upload the file of an import.
     *
     * `PUT /imports/{id}/source`
     */
    public function uploadImportSource(int|string $id, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PUT', '/imports/{id}/source', ['id' => $id], $body, $options);
    }

    /**
     * Preview a file.
     *
     * `POST /imports/preview`
     *
     * Query: encoding, sheet.
     */
    public function previewImportFile(mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/imports/preview', [], $body, $options);
    }

    /**
     * Send a message to a contact by ID.
     *
     * `POST /actions/{id}/targets/{targetId}`
     */
    public function sendActionToTarget(int|string $id, int|string $targetId, mixed $body, array $options = []): mixed
    {
        return $this->request('POST', '/actions/{id}/targets/{targetId}', ['id' => $id, 'targetId' => $targetId], $body, $options);
    }

    /**
     * Run a webtask by its token.
     *
     * `GET /w/{token}`
     */
    public function runWebtaskByToken(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/w/{token}', ['token' => $token], null, $options);
    }

    /**
     * Run a webtask by its token, with a body.
     *
     * `POST /w/{token}`
     */
    public function runWebtaskByTokenWithBody(int|string $token, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/w/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Follow a tracked link.
     *
     * `GET /t/r/{token}`
     */
    public function followLink(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/r/{token}', ['token' => $token], null, $options);
    }

    /**
     * Follow a tracked link with an embedded destination.
     *
     * `GET /t/r/{token}/{target}`
     */
    public function followLinkWithTarget(int|string $token, int|string $target, array $options = []): mixed
    {
        return $this->request('GET', '/t/r/{token}/{target}', ['token' => $token, 'target' => $target], null, $options);
    }

    /**
     * Follow a short link.
     *
     * `GET /s/{code}`
     */
    public function followShortLink(int|string $code, array $options = []): mixed
    {
        return $this->request('GET', '/s/{code}', ['code' => $code], null, $options);
    }

    /**
     * Get the tracking pixel of an email.
     *
     * `GET /t/o/{token}`
     */
    public function getPixel(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/o/{token}', ['token' => $token], null, $options);
    }

    /**
     * Follow the hidden link for robots.
     *
     * `GET /t/h/{token}`
     */
    public function followRobotLink(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/h/{token}', ['token' => $token], null, $options);
    }

    /**
     * Show the web version of an email.
     *
     * `GET /t/m/{token}`
     */
    public function getMirrorPage(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/m/{token}', ['token' => $token], null, $options);
    }

    /**
     * Show the page behind links of a preview.
     *
     * `GET /t/preview`
     */
    public function followPreviewLink(array $options = []): mixed
    {
        return $this->request('GET', '/t/preview', [], null, $options);
    }

    /**
     * Show the unsubscribe page.
     *
     * `GET /t/u/{token}`
     */
    public function getUnsubscribePage(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/u/{token}', ['token' => $token], null, $options);
    }

    /**
     * Unsubscribe a recipient.
     *
     * `POST /t/u/{token}`
     */
    public function unsubscribe(int|string $token, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/t/u/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Show the page of a form.
     *
     * `GET /t/f/{token}`
     */
    public function getFormPage(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/t/f/{token}', ['token' => $token], null, $options);
    }

    /**
     * Submit a form.
     *
     * `POST /t/f/{token}`
     */
    public function answerForm(int|string $token, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/t/f/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Get the tracking pixel of a display content.
     *
     * `GET /d/{token}.gif`
     *
     * Query: r, consent.
     */
    public function getDisplayPicture(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/d/{token}.gif', ['token' => $token], null, $options);
    }

    /**
     * Follow the link of a display content.
     *
     * `GET /d/{token}`
     *
     * Query: r, consent.
     */
    public function followDisplayLink(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/d/{token}', ['token' => $token], null, $options);
    }

    /**
     * Report a reaction to a notification.
     *
     * `GET /hit/{agency}/{customer}/{message}/link/{token}`
     */
    public function reportPushHit(int|string $agency, int|string $customer, int|string $message, int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/hit/{agency}/{customer}/{message}/link/{token}', ['agency' => $agency, 'customer' => $customer, 'message' => $message, 'token' => $token], null, $options);
    }

    /**
     * Register a device.
     *
     * `PUT /api/v1.0/{agency}/{customer}/subscriptions`
     */
    public function putDeviceSubscription(int|string $agency, int|string $customer, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PUT', '/api/v1.0/{agency}/{customer}/subscriptions', ['agency' => $agency, 'customer' => $customer], $body, $options);
    }

    /**
     * Report app telemetry.
     *
     * `PUT /api/v1.0/{agency}/{customer}/telemetry`
     */
    public function putDeviceTelemetry(int|string $agency, int|string $customer, mixed $body = null, array $options = []): mixed
    {
        return $this->request('PUT', '/api/v1.0/{agency}/{customer}/telemetry', ['agency' => $agency, 'customer' => $customer], $body, $options);
    }

    /**
     * Report app telemetry by POST.
     *
     * `POST /api/v1.0/{agency}/{customer}/telemetry`
     */
    public function postDeviceTelemetry(int|string $agency, int|string $customer, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/api/v1.0/{agency}/{customer}/telemetry', ['agency' => $agency, 'customer' => $customer], $body, $options);
    }

    /**
     * Receive an SMS gateway callback in the query.
     *
     * `GET /hooks/sms/{token}`
     */
    public function receiveSmsCallbackByQuery(int|string $token, array $options = []): mixed
    {
        return $this->request('GET', '/hooks/sms/{token}', ['token' => $token], null, $options);
    }

    /**
     * Receive an SMS gateway callback.
     *
     * `POST /hooks/sms/{token}`
     */
    public function receiveSmsCallback(int|string $token, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/hooks/sms/{token}', ['token' => $token], $body, $options);
    }

    /**
     * Receive an RCS webhook call.
     *
     * `POST /hooks/rcs/{token}`
     */
    public function receiveRcsCallback(int|string $token, mixed $body = null, array $options = []): mixed
    {
        return $this->request('POST', '/hooks/rcs/{token}', ['token' => $token], $body, $options);
    }
}

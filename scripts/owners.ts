import { globSync, readFileSync } from 'node:fs'

/*
 * Every table has one owner: the room of src/ that writes it. Other rooms that write or read it are listed below with a
 * reason. Looks at SQL text and at calls of kysely; what triggers of the migrations write is not seen, nor
 * the rows that src/service/retention.ts deletes from any table by their age.
 */

/** Tables by the room that owns them. */
const rooms: Record<string, string> = {
  'features/accounts': 'accounts api_keys domain_keys sending_domains',
  'features/actions': 'actions action_segments action_exports campaign_experiments experiment_goals',
  'features/applications': 'applications application_providers',
  'features/approvals': 'approvals',
  'features/archives': 'archives archive_wipes',
  'features/capping': 'workflow_cappings workflow_increments',
  'features/audit': 'audit',
  'features/campaign-groups': 'campaigns campaign_items',
  'features/categories': 'categories',
  'features/contacts':
    'contacts contact_counts fields value_lists value_list_labels bounce_flags soft_bounces red_list red_list_memory red_list_removals',
  'features/deliverability': 'destination_holds sent_quarters sent_counting',
  'features/designs': 'designs',
  'features/display': 'display_campaigns display_contents display_placements display_content_placements',
  'features/events':
    'events event_keys event_counts event_details event_days asked_counts asked_days event_counting stale_event_counts early_reactions unsettled_hits sprung_honeypots contact_hours account_hours event_store event_changes kept_activations event_erasures',
  'features/forms': 'forms form_fields action_forms',
  'features/imports':
    'imports import_executions import_fields import_formats import_format_binds import_keys import_members import_pulls import_rejects import_segments import_uploads drop_places',
  'features/inbound': 'unmatched_reports rcs_inbox',
  'features/jobs': 'jobs job_contacts',
  'features/listeners': 'listener_interests listener_queue listener_takers listener_partitions',
  'features/media': 'media',
  'features/notices': 'notices notice_listeners',
  'features/notifications': 'notifications notification_segments',
  'features/people':
    'people memberships invitations person_links sessions sign_in_attempts sign_in_failures totp_secrets recovery_codes passkeys passkey_challenges provider_identities provider_states',
  'features/personal-data': 'erased_contacts',
  'features/pressure': 'pressure_topics pressure_rules pressure_counters',
  'features/reporting': 'report_rates',
  'features/api-log': 'request_log',
  'features/rcs-profiles': 'rcs_profiles rcs_webhook_tokens rcs_capabilities',
  'features/samples': 'samples',
  'features/workflows':
    'workflows workflow_versions workflow_segments workflow_runs workflow_timers workflow_waits workflow_traces workflow_entries workflow_open_runs workflow_counts workflow_count_deltas workflow_samples workflow_tasks workflow_firings workflow_firing_batches workflow_experiments workflow_experiment_visits workflow_compilables',
  'features/pipelines': 'compilables compilable_uses',
  'features/webtasks': 'webtasks webtask_imports webtask_runs webtask_stamps workflow_webtasks',
  'features/segments':
    'segments segment_members segment_counts segment_fields segment_references segment_watchers watched_segments watched_members watched_changes growth_days growth_members',
  'features/subscriptions':
    'subscriptions awaited_subscriptions gone_subscriptions push_rests push_refusals push_attempts',
  'features/webhooks': 'webhooks webhook_deliveries webhook_tries stream_notices',
  channels: 'sms_inbox sms_sends',
  cli: 'master_keys',
  http: 'idempotency_keys',
  jobs: 'job_workers task_failures',
  sending:
    'sendings sending_counts sending_ends ended_batches ended_quarters messages message_slices sent_messages short_links content_versions campaign_audiences held_out_contacts run_addresses gateways destination_states live_senders warm_ups warm_up_counts followups rate_limits machines disk_samples',
}

/** Room, tables of others, reason. */
type Exception = readonly [room: string, tables: string, reason: string]

const writers: readonly Exception[] = [
  ['features/categories', 'actions', 'takes a deleted category off its actions, in one transaction'],
  ['features/contacts', 'accounts', 'its settings are members of the row of the account'],
  ['features/contacts', 'job_contacts', 'a selection is stored as the contacts of its job, in one statement'],
  [
    'features/contacts',
    'segment_members',
    'a deleted contact leaves its segments; segments are to the right of contacts',
  ],
  ['features/deliverability', 'messages', 'what waited for a destination is due when an operator lets it go on'],
  ['features/pressure', 'accounts', 'its settings are members of the row of the account'],
  ['features/events', 'accounts', 'its settings are members of the row of the account'],
  [
    'features/contacts',
    'subscriptions awaited_subscriptions gone_subscriptions',
    'devices follow their contacts in the transactions that write those; subscriptions are to the right',
  ],
  ['features/inbound', 'sms_inbox', 'takes reports in the transaction that records their events'],
  [
    'features/personal-data',
    'idempotency_keys jobs job_contacts',
    'erases a contact from kept answers and results of jobs',
  ],
  [
    'features/personal-data',
    'red_list red_list_memory red_list_removals',
    'erases a contact and keeps that it must not be written to',
  ],
  ['features/subscriptions', 'messages', 'what waited for a provider is due when its application is activated again'],
  ['features/contacts', 'accounts', 'notes in the definitions by which rule keys are made'],
  ['features/subscriptions', 'accounts', 'notes in the definitions whether any contact is awaited'],
  ['sending', 'archives archive_wipes', 'a message and its archive are recorded in one transaction'],
]

const readers: readonly Exception[] = [
  [
    'features/events',
    'sent_messages content_versions',
    'the zone of the reader of a message, for the hours that contacts read in',
  ],
  ['features/actions', 'sendings sent_messages', 'how a run stands, and by version whom its experiment was sent to'],
  ['features/actions', 'notices notifications fields', 'what the goal of an experiment names, and who reached it'],
  [
    'features/subscriptions',
    'applications application_providers',
    'whether one is still there whose provider comes to rest, and what it takes; which subscriptions are live',
  ],
  ['features/applications', 'push_rests push_refusals', 'which of its providers rest'],
  ['features/pressure', 'contacts', 'the zone of a contact, and that it is there'],
  ['features/pressure', 'actions notifications', 'what names a topic'],
  [
    'features/pressure',
    'content_versions sent_messages',
    'what a message counts under, and the history that a rule is tried on',
  ],
  [
    'features/reporting',
    'actions notifications workflows workflow_counts workflow_runs imports import_executions jobs webhooks sendings sending_counts campaign_items display_campaigns',
    'what runs, waits and failed, in few statements',
  ],
  [
    'features/reporting',
    'actions content_versions contacts message_slices messages sending_counts sendings sent_messages',
    'where each message of a sending stands, and the links of what was sent, in one snapshot',
  ],
  ['service', 'accounts', 'whether there is an account yet'],
  ['cli', 'accounts', 'restore refuses a database that has one'],
  ['channels', 'erased_contacts', 'nothing is kept of a contact that was erased meanwhile'],
  ['features/account-mail', 'imports import_executions', 'the report of an import'],
  ['features/accounts', 'fields', 'the settings of sending name fields'],
  ['features/actions', 'bounce_flags red_list', 'whom a request must not be sent to'],
  ['features/actions', 'categories segments', 'what an action refers to'],
  ['features/actions', 'contacts', 'recipients of a request or a test'],
  ['features/actions', 'campaign_items', 'what of a list a campaign holds'],
  ['features/archives', 'accounts', 'how long archives are kept'],
  ['features/media', 'designs notifications actions content_versions sendings', 'what uses a file'],
  ['features/archives', 'actions', 'whether what a path names exists'],
  ['features/archives', 'messages', 'an archive whose message is not recorded yet stays'],
  ['features/audit', 'accounts', 'codes of accounts, as rows show them'],
  ['features/audit', 'fields', 'literals compared with which are masked'],
  ['features/campaign-groups', 'actions display_campaigns notifications workflows', 'what a campaign holds'],
  ['features/contacts', 'erased_contacts', 'whether a contact that is not there was deleted or erased'],
  ['features/display', 'accounts contacts', 'what an address of a tag stands for'],
  ['features/display', 'erased_contacts events', 'whom a hit belongs to'],
  ['features/events', 'accounts', 'how long events are kept, and the time zone of summaries'],
  ['features/events', 'actions notifications', 'events by category or name of the action, and of a notification'],
  ['features/events', 'contacts soft_bounces', 'effects of events on contacts'],
  ['features/events', 'display_campaigns', 'the names of what a contact was shown'],
  ['features/events', 'erased_contacts', 'events of erased contacts are written empty or left out'],
  ['features/contacts', 'accounts', 'definitions of the account'],
  [
    'features/contacts',
    'actions forms form_fields imports import_fields import_formats import_format_binds segments segment_fields',
    'what a field is linked to',
  ],
  ['features/forms', 'actions', 'what a form is linked to'],
  ['features/imports', 'accounts', 'time zone, drop places of an account and limits'],
  ['features/imports', 'fields segments', 'what an import refers to'],
  ['features/inbound', 'accounts sending_domains', 'whose an address is'],
  ['features/inbound', 'contacts fields sms_sends', 'whose a number is, and what was sent to it'],
  ['features/reporting', 'erased_contacts', 'whether a message is kept no more'],
  ['features/notices', 'accounts', 'locks the account while listeners change'],
  [
    'features/notifications',
    'applications segments subscriptions',
    'what a notification refers to, and who a request names',
  ],
  ['channels', 'applications application_providers subscriptions', 'whom a push may go to, in one statement'],
  ['features/applications', 'notifications', 'what names an application'],
  ['features/personal-data', 'api_keys bounce_flags', 'the export of a contact'],
  ['features/personal-data', 'contacts fields', 'who is erased, and the addresses'],
  ['features/rcs-profiles', 'actions', 'whether an action sends with a profile'],
  ['features/segments', 'accounts contacts', 'days of an account, and who came'],
  ['features/reporting', 'applications', 'whose devices a contact may have'],
  ['features/segments', 'contacts', 'pages of those that are selected, in any order'],
  [
    'features/segments',
    'actions notifications fields value_lists workflows webtasks compilables campaigns imports import_formats rcs_profiles applications forms categories pressure_topics pressure_rules display_campaigns display_contents display_placements webhooks',
    'everything that has a name is found by it, in one statement',
  ],
  ['features/segments', 'accounts fields contacts contact_counts', 'formulas and their indexes'],
  ['features/workflows', 'actions notifications segments imports webtasks', 'what a definition names'],
  ['features/workflows', 'contacts', 'those of many runs are read in one statement'],
  ['features/workflows', 'value_lists', 'what a definition names'],
  [
    'features/workflows',
    'compilables compilable_uses webtask_imports',
    'which scripts a definition runs, those of its pipelines and webtasks among them',
  ],
  [
    'features/workflows',
    'listener_queue listener_interests',
    'what is not dispatched yet when a wait ends, and whether what a workflow listens to holds',
  ],
  [
    'features/workflows',
    'events notices unsettled_hits',
    'stored events that end a wait are found by the place and the key of the wait',
  ],
  ['features/workflows', 'accounts', 'workflows of an account are made one at a time, so that their number holds'],
  ['features/webtasks', 'accounts', 'webtasks of an account are made one at a time, so that their number holds'],
  ['features/webtasks', 'workflows', 'which workflows call a webtask'],
  ['features/webtasks', 'erased_contacts', 'what is kept of a run says nothing of a contact that was erased meanwhile'],
  ['features/pipelines', 'accounts', 'pipelines of an account are made one at a time, so that their number holds'],
  ['features/pipelines', 'actions notifications segments value_lists', 'what a pipeline names'],
  ['features/pipelines', 'workflows workflow_compilables webtasks webtask_imports', 'what uses a pipeline'],
  ['features/pipelines', 'notices unsettled_hits value_list_labels', 'the rows that a pipeline reads'],
  [
    'features/script-host',
    'webtasks webtask_imports compilable_uses workflow_webtasks workflow_compilables',
    'which live definitions run a script',
  ],
  ['features/script-host', 'contacts segments notices unsettled_hits', 'what scripts read'],
  ['features/people', 'accounts api_keys', 'what an account asks of its people, and which keys it has'],
  [
    'features/segments',
    'actions action_segments notifications notification_segments forms imports import_segments import_executions workflows workflow_segments',
    'what a segment is linked to',
  ],
  [
    'features/segments',
    'sendings compilable_uses workflow_compilables',
    'by which criteria something is sent that was approved',
  ],
  ['features/segments', 'subscriptions', 'criteria of contacts that have a device'],
  ['features/segments', 'bounce_flags red_list', 'criteria of contacts that cannot be reached'],
  ['features/subscriptions', 'api_keys contacts', 'whose a device is, and who wrote it'],
  ['features/tracking', 'contacts', 'values that a page shows'],
  ['features/webhooks', 'listener_queue', 'which webhooks have something waiting, and how much'],
  ['features/webhooks', 'notices', 'wakes streams'],
  [
    'features/deliverability',
    'sent_messages warm_ups warm_up_counts',
    'how mail fared by destination, and how young domains stand',
  ],
  ['features/deliverability', 'destination_states live_senders message_slices', 'how queues and destinations stand'],
  ['sending', 'accounts contacts bounce_flags red_list', 'facts of a whole batch in one statement'],
  ['sending', 'destination_holds', 'what an operator holds back'],
  ['sending', 'events', 'why the first delivery of a message was cancelled, with which it is counted'],
  ['sending', 'erased_contacts', 'what is recorded of an erased contact is recorded empty'],
]

const owners = new Map(
  Object.entries(rooms).flatMap(([room, tables]) => tables.split(' ').map((table) => [table, room] as const)),
)
const faults: string[] = []
const tables = readFileSync('src/database/tables.ts', 'utf8').split('export interface DB {')[1] ?? ''
const known = [...tables.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name)
for (const table of known) if (!owners.has(table)) faults.push(`${table} has no owner`)
for (const table of owners.keys()) if (!known.includes(table)) faults.push(`${table} is not a table`)

/** `room table` for each exception. */
function listed(exceptions: readonly Exception[]): Set<string> {
  return new Set(exceptions.flatMap(([room, tables]) => tables.split(' ').map((table) => `${room} ${table}`)))
}

const WRITE =
  /(?:insert into|update|delete from|truncate|merge into)\s+(?:only\s+)?(\w+)|(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)/g
const READ = /(?<!delete )(?:from|join|using)\s+(?:only\s+)?(\w+)|(?:selectFrom|Join|using)\(\s*['"`](\w+)/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm

/** Adds accesses by rooms that do not own the table, with a file of each. */
function note(found: Map<string, string>, file: string, matches: Iterable<RegExpExecArray>): void {
  const room = /^src\/(features\/[^/]+|[^/]+)/.exec(file)?.[1] ?? ''
  for (const [, inText, inCall] of matches) {
    const table = inText ?? inCall ?? ''
    if (owners.has(table) && owners.get(table) !== room) found.set(`${room} ${table}`, file)
  }
}

const [written, read] = [new Map<string, string>(), new Map<string, string>()]
for (const path of globSync('src/**/*.ts')) {
  const file = path.replaceAll('\\', '/')
  if (/\.test\.ts$|database\/tables\.ts$/.test(file)) continue
  const text = readFileSync(file, 'utf8').replace(COMMENT, '')
  note(written, file, text.matchAll(WRITE))
  note(read, file, text.matchAll(READ))
  if (text.includes('graphile_worker') && !file.startsWith('src/jobs/'))
    faults.push(`${file} uses the tables of the queue: jobs are added through src/jobs/`)
}
const [mayWrite, mayRead] = [listed(writers), listed(readers)]
for (const [access, file] of written)
  if (!mayWrite.has(access))
    faults.push(`${file}: "${access}" writes a table of ${owners.get(access.split(' ')[1] ?? '')}`)
for (const [access, file] of read)
  if (!mayRead.has(access) && !mayWrite.has(access))
    faults.push(`${file}: "${access}" reads a table of ${owners.get(access.split(' ')[1] ?? '')}`)
for (const access of mayWrite)
  if (!written.has(access)) faults.push(`"${access}" is listed as a writer but does not write`)
for (const access of mayRead) if (!read.has(access)) faults.push(`"${access}" is listed as a reader but does not read`)

if (!process.argv.includes('--check'))
  for (const [table, room] of [...owners].sort()) process.stdout.write(`${table.padEnd(28)} ${room}\n`)
for (const fault of faults) process.stderr.write(`${fault} (scripts/owners.ts)\n`)
if (faults.length > 0) process.exitCode = 1

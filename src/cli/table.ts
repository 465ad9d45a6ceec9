import { processRoles } from '../config.ts'
import { accessRights, memberRoles } from '../lib/account.ts'
import type { CommandOptionRow, CommandRow, CommandUsageRow } from './rows.ts'
import { type WaitableKind, waitableStates } from './wait-states.ts'

/** Written out: what makes gateways is large, and loaded by those that open one. */
export const commandGatewayKinds = [
  'smtp',
  'smtp-direct',
  'sms-smpp',
  'sms-http',
  'rcs-google',
  'push-apns',
  'push-fcm',
  'push-web',
  'push-http',
]

const accountOption: CommandOptionRow = {
  name: 'account',
  value: 'CODE',
  help: 'account code, such as ACME001',
  isRequired: true,
}
const ownerOption: CommandOptionRow = { ...accountOption, help: 'the only account that uses it', isRequired: false }
const fileOption: CommandOptionRow = {
  name: 'file',
  value: 'FILE',
  words: 'file',
  help: 'JSON file with its settings and secrets',
}
const fromOption: CommandOptionRow = { name: 'from', value: 'DATE', help: 'first day, such as 2027-01-31' }
const toOption: CommandOptionRow = { name: 'to', value: 'DATE', help: 'day after the last one' }

const createNameOption = (help: string, fallback?: string): CommandOptionRow => ({
  name: 'name',
  value: 'NAME',
  help,
  fallback,
})
const createFlag = (name: string, help: string): CommandOptionRow => ({ name, help })

/** The options of every kind of wait. */
const waitOptions: readonly CommandOptionRow[] = [
  {
    name: 'timeout',
    value: 'DURATION',
    help: 'longest wait, in seconds, minutes or hours, such as 90s, 10m or 2h',
    fallback: '10m',
  },
  createFlag('json', 'print the object as JSON instead of its state'),
  { name: 'url', value: 'ADDRESS', help: 'URL of the service', fallback: 'STENTOR_URL' },
  { name: 'key', value: 'KEY', help: 'API key with the right read', fallback: 'STENTOR_KEY' },
]
const createUntilOption = (kind: WaitableKind): CommandOptionRow => ({
  name: 'until',
  value: 'STATE',
  words: waitableStates[kind],
  help: 'state to wait for, one of those listed for the command',
  isRequired: true,
})
const createWaitUse = (kind: WaitableKind, argument: string, help: string): CommandUsageRow => ({
  verb: kind,
  argument,
  help,
  options: [createUntilOption(kind), ...waitOptions],
})

/** Every command, in the order of the help. A new one is an entry here. */
export const commandTable: readonly CommandRow[] = [
  {
    name: 'start',
    group: 'Running',
    help: 'start the service and run it until it is stopped',
    more: 'SIGTERM and SIGINT shut it down cleanly within 20 seconds. A second signal, more than a second later, ends it at once.',
    uses: [
      {
        help: 'start all roles, or the given ones',
        options: [
          {
            name: 'role',
            value: 'ROLES',
            words: ['all', ...processRoles],
            help: `comma-separated roles of this process: ${processRoles.join(', ')}`,
            fallback: 'all',
          },
        ],
      },
    ],
    examples: [
      ['start', 'run everything in one process'],
      ['start --role api,tracking', 'run a process that serves clients and recipients'],
    ],
    load: async () => (await import('./commands/start.ts')).startCommand,
  },
  {
    name: 'doctor',
    group: 'Running',
    help: 'check the installation and report how to fix problems',
    more: 'It checks the disk, ports, database, clock, gateways and RCS profiles. The exit status is 1 if any check fails.',
    uses: [{ help: 'run all checks', options: [createFlag('providers', 'also call the providers of RCS profiles')] }],
    examples: [['doctor', 'check this installation']],
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'mcp',
    group: 'Running',
    help: 'give an assistant on this machine access to a service, over stdio',
    more: 'It is a Model Context Protocol server on standard input and output. It calls the service at STENTOR_URL with the key in STENTOR_KEY.',
    uses: [{ help: 'run until standard input closes' }],
    examples: [['mcp', 'run by an assistant, with both settings in the environment']],
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  {
    name: 'wait',
    group: 'Running',
    help: 'wait until an action, import, workflow run or job reaches a state',
    more: 'It prints the state. The exit status is 1 if the state cannot be reached any more, or is not reached in time. Without --url and STENTOR_URL, it calls http://localhost with the port in STENTOR_HTTP_PORT.',
    uses: [
      createWaitUse(
        'action',
        'ID',
        'states and their numbers in the interface: complete (20), tested (38), validated (50), sending or paused (55), sent (60); a later state counts too, except for paused',
      ),
      createWaitUse('rcs-action', 'ID', 'the states of an action, except tested'),
      createWaitUse('message', 'STAMP', waitableStates.message.join(', ')),
      createWaitUse(
        'import',
        'ID[/EXECUTION]',
        'states of its last run, or of the given one: running (0), completed (1), failed (2)',
      ),
      createWaitUse('workflow', 'ID', 'active (1), inactive (0)'),
      createWaitUse(
        'run',
        'WORKFLOW[/RUN]',
        `states of the newest run of the workflow, or of the given one: ${waitableStates.run.join(', ')}`,
      ),
      createWaitUse('job', 'ID', waitableStates.job.join(', ')),
      {
        verb: 'response',
        argument: 'PATH',
        help: 'wait for a text in the response of GET PATH',
        options: [
          { name: 'contains', value: 'TEXT', help: 'wait until the response contains this text' },
          { name: 'without', value: 'TEXT', help: 'wait until the response does not contain this text' },
          ...waitOptions,
        ],
      },
      {
        verb: 'service',
        help: 'ready, unavailable; no key is needed',
        options: [createUntilOption('service'), ...waitOptions],
      },
    ],
    examples: [
      ['wait action 000001 --until sent', 'wait until a campaign is sent'],
      ['wait import 3 --until completed --timeout 1h', 'wait until the last run of an import is completed'],
      ['wait run 5 --until waiting --json', 'print the newest run of a workflow once it waits'],
      ['wait response /captured --contains ann@shop.example', 'wait until a message to Ann is captured'],
    ],
    load: async () => (await import('./commands/wait.ts')).waitCommand,
  },
  {
    name: 'migrate',
    group: 'Running',
    help: 'migrate the database to the version of this program',
    more: '"stentor start" does this too.',
    uses: [{ help: 'migrate the database' }],
    examples: [['migrate', 'migrate before you start new processes']],
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'accounts',
    group: 'Accounts and people',
    help: 'create and list accounts, set rate limits and update contact keys',
    uses: [
      {
        verb: 'create',
        argument: 'CODE',
        help: 'create an account',
        options: [createNameOption('display name', 'the code')],
      },
      { verb: 'list', help: 'list all accounts' },
      {
        verb: 'limit',
        argument: 'CODE',
        help: 'set the rate limit of each key and user of the account',
        options: [
          { name: 'rate', value: 'N', help: 'requests per second; 0 means no limit', isRequired: true },
          { name: 'burst', value: 'N', help: 'maximum burst of requests', isRequired: true },
        ],
      },
      {
        verb: 'rekey',
        argument: 'CODE',
        help: 'update the keys by which contacts are compared; "stentor doctor" names the accounts that need it',
      },
    ],
    examples: [
      ["accounts create ACME001 --name 'Acme'", 'create an account; codes have 4 + 3 letters or digits'],
      ['accounts limit ACME001 --rate 100 --burst 400', 'the limit applies within a second'],
      ['accounts rekey ACME001', 'update contact keys; fails if two contacts would have the same key'],
    ],
    load: async () => (await import('./commands/accounts.ts')).accountsCommand,
  },
  {
    name: 'keys',
    group: 'Accounts and people',
    help: 'create, list and revoke API keys',
    more: 'A key is shown only once, when it is created. A revocation takes effect within a second.',
    uses: [
      {
        verb: 'create',
        help: 'create a key and print it',
        options: [
          accountOption,
          createNameOption('display name', 'key'),
          {
            name: 'rights',
            value: 'RIGHTS',
            words: accessRights,
            help: `comma-separated rights: ${accessRights.join(', ')}`,
            fallback: 'all',
          },
          { name: 'expires', value: 'DATE', help: 'expiry date', fallback: 'never' },
        ],
      },
      { verb: 'list', help: 'list the keys of an account', options: [accountOption] },
      { verb: 'revoke', argument: 'ID', help: 'revoke a key' },
    ],
    examples: [
      ['keys create --account ACME001 --name shop --rights read,write,send', 'create a key without the admin right'],
      ['keys revoke 7', 'revoke the key with the id 7, as shown by "keys list"'],
    ],
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  {
    name: 'people',
    group: 'Accounts and people',
    help: 'manage the users of the console',
    more: 'Links are printed only once and are not stored.',
    uses: [
      {
        verb: 'invite',
        argument: 'EMAIL',
        help: 'print an invitation link',
        options: [
          accountOption,
          { name: 'role', value: 'ROLE', words: memberRoles, help: memberRoles.join(', '), isRequired: true },
        ],
      },
      { verb: 'list', help: 'list all users' },
      {
        verb: 'reset',
        argument: 'EMAIL',
        help: 'print a password reset link',
        options: [createFlag('second-factor', 'also remove the authenticator app, recovery codes and passkeys')],
      },
      { verb: 'deactivate', argument: 'EMAIL', help: 'deactivate a user and end their sessions' },
      { verb: 'activate', argument: 'EMAIL', help: 'reactivate a user' },
      {
        verb: 'operator',
        argument: 'EMAIL',
        help: 'make a user an operator of this installation',
        options: [createFlag('off', 'remove the operator role instead')],
      },
    ],
    examples: [
      ['people invite ann@shop.example --account ACME001 --role sender', 'invite a user with the role sender'],
    ],
    load: async () => (await import('./commands/people.ts')).peopleCommand,
  },
  {
    name: 'gateways',
    group: 'Sending',
    help: 'add, list and remove the gateways that send messages',
    more: 'Credentials are stored encrypted and never shown. Kinds that have no URL take a file {"settings": {…}, "secrets": {…}}.',
    uses: [
      {
        verb: 'add',
        help: 'add a gateway; senders use it within seconds',
        options: [
          {
            name: 'kind',
            value: 'KIND',
            words: commandGatewayKinds,
            help: commandGatewayKinds.join(', '),
            isRequired: true,
          },
          { name: 'url', value: 'ADDRESS', help: 'URL with user name and password, such as smtp://…' },
          fileOption,
          { name: 'channel', value: 'CHANNEL', help: 'channel, for kinds that support several' },
          ownerOption,
          createNameOption('display name', 'the kind'),
        ],
      },
      { verb: 'list', help: 'list all gateways' },
      { verb: 'remove', argument: 'ID', help: 'remove a gateway' },
    ],
    examples: [
      [
        "gateways add --kind smtp --url 'smtp://user:password@relay.example.com:587?tls=required'",
        'add a relay for email',
      ],
      ['gateways add --kind sms-http --file gateway.json --account ACME001', 'add an SMS gateway for one account'],
    ],
    load: async () => (await import('./commands/gateways.ts')).gatewaysCommand,
  },
  {
    name: 'domains',
    group: 'Sending',
    help: 'manage sending domains, their DNS records and DKIM keys',
    uses: [
      {
        verb: 'add',
        argument: 'DOMAIN',
        help: 'add a domain and print the DNS records to publish',
        options: [
          accountOption,
          createFlag('default', 'send email of unverified domains from this one'),
          createFlag('verified', 'treat it as verified without checking its DNS records'),
        ],
      },
      {
        verb: 'keys',
        argument: 'DOMAIN',
        help: 'create new DKIM keys; publish their records, then verify',
        options: [accountOption],
      },
      { verb: 'records', argument: 'DOMAIN', help: 'print its DNS records', options: [accountOption] },
      {
        verb: 'verify',
        argument: 'DOMAIN',
        help: 'look up its DNS records; exit status 1 if not verified',
        options: [accountOption],
      },
      {
        verb: 'warm-up',
        argument: 'DOMAIN',
        help: 'increase its daily volume step by step',
        options: [
          accountOption,
          { ...fromOption, help: 'first day in UTC', fallback: 'today' },
          createFlag('off', 'end the warm-up'),
        ],
      },
      { verb: 'list', help: 'list the domains of an account', options: [accountOption] },
      { verb: 'remove', argument: 'DOMAIN', help: 'remove a domain', options: [accountOption] },
    ],
    examples: [
      [
        'domains add mail.example.com --account ACME001 --default',
        'add a domain; the records are printed as lines of a zone file',
      ],
      ['domains verify mail.example.com --account ACME001', 'verify the domain once the records are published'],
    ],
    load: async () => (await import('./commands/domains.ts')).domainsCommand,
  },
  {
    name: 'drop-places',
    group: 'Sending',
    help: 'manage drop places, from which imports fetch their files',
    uses: [
      {
        verb: 'set',
        help: 'set the drop place of an account',
        options: [
          accountOption,
          { name: 'url', value: 'ADDRESS', help: 'file:///PATH or sftp://NAME:PASSWORD@HOST/PATH', isRequired: true },
          { ...fileOption, help: 'private key for SFTP, instead of a password' },
        ],
      },
      { verb: 'list', help: 'list all drop places' },
      { verb: 'remove', help: 'remove the drop place of an account', options: [accountOption] },
    ],
    examples: [
      [
        'drop-places set --account ACME001 --url file:///srv/drops/acme',
        'fetch files from a directory on this machine',
      ],
    ],
    load: async () => (await import('./commands/drop-places.ts')).dropPlacesCommand,
  },
  {
    name: 'backup',
    group: 'Maintenance',
    help: 'back up the database and its files',
    more: 'The database is copied at a single point in time. The service can keep running.',
    uses: [
      {
        help: 'create a backup',
        options: [
          {
            name: 'to',
            value: 'DIRECTORY',
            words: 'directory',
            help: 'new directory for the backup',
            isRequired: true,
          },
          createFlag('without-secrets', 'leave out the master key'),
        ],
      },
    ],
    examples: [['backup --to /backups/2027-03-01', 'create a full backup']],
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    group: 'Maintenance',
    help: 'restore a backup into an empty data directory and database',
    uses: [
      {
        help: 'restore a backup',
        options: [
          { name: 'from', value: 'DIRECTORY', words: 'directory', help: 'directory of the backup', isRequired: true },
          {
            name: 'outbox',
            value: 'MODE',
            words: ['hold', 'send'],
            help: 'hold or send waiting messages, which may have been sent since',
            fallback: 'hold',
          },
        ],
      },
    ],
    examples: [['restore --from /backups/2027-03-01', 'restore a backup and hold waiting messages']],
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'machines',
    group: 'Maintenance',
    help: 'list machines, and settle the messages of lost ones',
    uses: [
      { verb: 'list', help: 'list data directories and the messages their senders have claimed' },
      {
        verb: 'settle',
        argument: 'ID',
        help: 'send or drop the held messages of a lost machine',
        options: [
          {
            name: 'decision',
            value: 'DECISION',
            words: ['send', 'drop'],
            help: 'drop: do not send them again; send: send all, some recipients may get two',
            isRequired: true,
          },
        ],
      },
    ],
    examples: [['machines settle 0a1b2c3d --decision drop', 'drop its messages']],
    load: async () => (await import('./commands/machines.ts')).machinesCommand,
  },
  {
    name: 'events-store',
    group: 'Maintenance',
    help: 'manage the column store for event history',
    more: 'It requires STENTOR_EVENTS_URL.',
    uses: [
      { verb: 'create', help: 'create its tables' },
      { verb: 'status', help: 'show its size and how far events are copied' },
      { verb: 'copy', help: 'copy events again', options: [fromOption, toOption] },
      {
        verb: 'verify',
        help: 'compare it with PostgreSQL day by day; exit status 1 if they differ',
        options: [fromOption, toOption],
      },
      { verb: 'drop-hot', help: 'drop months from PostgreSQL that are in the store' },
    ],
    examples: [['events-store verify --from 2027-01-01 --to 2027-02-01', 'compare the events of January']],
    load: async () => (await import('./commands/events-store.ts')).eventsStoreCommand,
  },
  {
    name: 'psql',
    group: 'Maintenance',
    help: 'run psql on the database of the service',
    more: 'If the embedded database is not running, it is started first.',
    uses: [
      {
        rest: '-- ARGUMENTS OF PSQL',
        help: 'run psql',
        options: [createFlag('address', 'print the URL of the database instead')],
      },
    ],
    examples: [["psql -- -c 'select version()'", 'run one statement']],
    load: async () => (await import('./commands/psql.ts')).psqlCommand,
  },
  {
    name: 'master-key',
    group: 'Maintenance',
    help: 'recover from a lost master key',
    uses: [{ verb: 'accept', help: 'use the configured key from now on; stored credentials must be entered again' }],
    examples: [['master-key accept', 'accept the new key in STENTOR_MASTER_KEY']],
    load: async () => (await import('./commands/master-key.ts')).masterKeyCommand,
  },
  {
    name: 'completion',
    group: 'Help',
    help: 'print a shell completion script',
    uses: [{ argument: 'SHELL', words: ['bash', 'zsh'], help: 'print the script for bash or zsh' }],
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/stentor', 'install completion for bash'],
      ['completion zsh > ~/.zfunc/_stentor', 'install completion for zsh, with ~/.zfunc in fpath'],
    ],
    load: async (table) => (await import('./commands/completion.ts')).createCompletionCommand(table),
  },
  {
    name: 'help',
    group: 'Help',
    help: 'show help',
    uses: [{ argument: '[COMMAND]', help: 'show the help of a command, or list all commands' }],
    examples: [['help keys', 'show the help of keys, as "keys --help" does']],
    load: async (table) => (await import('./help.ts')).createHelpCommand(table),
  },
]

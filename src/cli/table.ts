import { processRoles } from '../config.ts'
import { accessRights, memberRoles } from '../lib/account.ts'
import type { CommandOptionRow, CommandRow } from './rows.ts'

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
  help: 'the account, such as ACME001',
  isRequired: true,
}
const ownerOption: CommandOptionRow = { ...accountOption, help: 'the account that it is for alone', isRequired: false }
const fileOption: CommandOptionRow = {
  name: 'file',
  value: 'FILE',
  words: 'file',
  help: 'JSON file with its settings and secrets',
}
const fromOption: CommandOptionRow = { name: 'from', value: 'DATE', help: 'the first day, such as 2027-01-31' }
const toOption: CommandOptionRow = { name: 'to', value: 'DATE', help: 'the day after the last one' }
const installationSuffix = 'of this installation'

const createNameOption = (help: string, fallback?: string): CommandOptionRow => ({
  name: 'name',
  value: 'NAME',
  help,
  fallback,
})
const createFlag = (name: string, help: string): CommandOptionRow => ({ name, help })

/** Every command, in the order of the help. A new one is an entry here. */
export const commandTable: readonly CommandRow[] = [
  {
    name: 'start',
    group: 'Running',
    help: 'starts the service, and runs it until it is asked to stop',
    more: 'SIGTERM and SIGINT stop it in order within twenty seconds; a second one, more than a second later, ends it at once.',
    uses: [
      {
        help: 'starts all roles, or some',
        options: [
          {
            name: 'role',
            value: 'ROLES',
            words: ['all', ...processRoles],
            help: `what this process does, separated by commas: ${processRoles.join(', ')}`,
            fallback: 'all',
          },
        ],
      },
    ],
    examples: [
      ['start', 'everything in one process'],
      ['start --role api,tracking', 'a process that answers clients and recipients'],
    ],
    load: async () => (await import('./commands/start.ts')).startCommand,
  },
  {
    name: 'doctor',
    group: 'Running',
    help: 'checks what the service needs, and says what to do',
    more: 'It looks at disk, ports, database, clock, gateways and RCS profiles. The exit status is 1 when something is not in order.',
    uses: [
      { help: 'checks all there is', options: [createFlag('providers', 'calls the providers of RCS profiles, too')] },
    ],
    examples: [['doctor', `looks at all ${installationSuffix}`]],
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  },
  {
    name: 'mcp',
    group: 'Running',
    help: 'offers the tools of a service to an assistant on this machine, over stdio',
    more: 'It speaks the Model Context Protocol on standard input and output, and asks the service at STENTOR_URL with the key STENTOR_KEY.',
    uses: [{ help: 'answers until its input ends' }],
    examples: [['mcp', 'as an assistant starts it, with both settings in its environment']],
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  {
    name: 'migrate',
    group: 'Running',
    help: 'brings the database to the version of this program, and ends',
    more: 'A start does that, too.',
    uses: [{ help: 'migrates the database' }],
    examples: [['migrate', 'before new processes are started']],
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'accounts',
    group: 'Accounts and people',
    help: 'makes and lists accounts, limits their requests, and renews the keys of their contacts',
    uses: [
      {
        verb: 'create',
        argument: 'CODE',
        help: 'makes one',
        options: [createNameOption('what it is called', 'its code')],
      },
      { verb: 'list', help: 'lists all' },
      {
        verb: 'limit',
        argument: 'CODE',
        help: 'sets how many requests each of its keys and people may make',
        options: [
          { name: 'rate', value: 'N', help: 'requests a second; 0: no limit', isRequired: true },
          { name: 'burst', value: 'N', help: 'requests at once', isRequired: true },
        ],
      },
      {
        verb: 'rekey',
        argument: 'CODE',
        help: 'compares the addresses of its contacts as new accounts do; doctor names accounts that need it',
      },
    ],
    examples: [
      ["accounts create ACME001 --name 'Acme'", 'an account: four letters or digits, and three'],
      ['accounts limit ACME001 --rate 100 --burst 400', 'in force within a second'],
      ['accounts rekey ACME001', 'contacts get new keys; refused while two would have the same'],
    ],
    load: async () => (await import('./commands/accounts.ts')).accountsCommand,
  },
  {
    name: 'keys',
    group: 'Accounts and people',
    help: 'makes, lists and revokes the keys of clients',
    more: 'The text of a key is shown once, when it is made. A revocation is in force within a second.',
    uses: [
      {
        verb: 'create',
        help: 'makes one, and prints it',
        options: [
          accountOption,
          createNameOption('what it is called', 'key'),
          {
            name: 'rights',
            value: 'RIGHTS',
            words: accessRights,
            help: `of ${accessRights.join(',')}`,
            fallback: 'all',
          },
          { name: 'expires', value: 'DATE', help: 'when it ends', fallback: 'never' },
        ],
      },
      { verb: 'list', help: 'lists those of an account', options: [accountOption] },
      { verb: 'revoke', argument: 'ID', help: 'revokes one' },
    ],
    examples: [
      ['keys create --account ACME001 --name shop --rights read,write,send', 'a key that does not administer'],
      ['keys revoke 7', 'the one that "keys list" shows as 7'],
    ],
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  {
    name: 'people',
    group: 'Accounts and people',
    help: 'invites people to the console, and lets them in again',
    more: 'Links are printed once and kept nowhere.',
    uses: [
      {
        verb: 'invite',
        argument: 'EMAIL',
        help: 'prints a link that lets somebody in',
        options: [
          accountOption,
          { name: 'role', value: 'ROLE', words: memberRoles, help: memberRoles.join(', '), isRequired: true },
        ],
      },
      { verb: 'list', help: 'lists everybody' },
      {
        verb: 'reset',
        argument: 'EMAIL',
        help: 'prints a link for a new password',
        options: [createFlag('second-factor', 'takes codes and passkeys away, too')],
      },
      { verb: 'deactivate', argument: 'EMAIL', help: 'ends their sessions, and lets them in no more' },
      { verb: 'activate', argument: 'EMAIL', help: 'lets them in again' },
      {
        verb: 'operator',
        argument: 'EMAIL',
        help: `makes them an operator ${installationSuffix}`,
        options: [createFlag('off', 'takes that back')],
      },
    ],
    examples: [['people invite ann@shop.example --account ACME001 --role sender', 'somebody who may send']],
    load: async () => (await import('./commands/people.ts')).peopleCommand,
  },
  {
    name: 'gateways',
    group: 'Sending',
    help: 'adds, lists and removes what messages leave through',
    more: 'Credentials are kept sealed and never shown. Kinds without an address take a file {"settings": {…}, "secrets": {…}}.',
    uses: [
      {
        verb: 'add',
        help: 'adds one; senders use it within seconds',
        options: [
          {
            name: 'kind',
            value: 'KIND',
            words: commandGatewayKinds,
            help: commandGatewayKinds.join(', '),
            isRequired: true,
          },
          { name: 'url', value: 'ADDRESS', help: 'its address with account and password, such as smtp://…' },
          fileOption,
          { name: 'channel', value: 'CHANNEL', help: 'what it carries, where its kind has several' },
          ownerOption,
          createNameOption('what it is called', 'its kind'),
        ],
      },
      { verb: 'list', help: 'lists all' },
      { verb: 'remove', argument: 'ID', help: 'removes one' },
    ],
    examples: [
      [
        "gateways add --kind smtp --url 'smtp://account:password@relay.example.com:587?tls=required'",
        'a relay for mail',
      ],
      ['gateways add --kind sms-http --file gateway.json --account ACME001', 'SMS of one account'],
    ],
    load: async () => (await import('./commands/gateways.ts')).gatewaysCommand,
  },
  {
    name: 'domains',
    group: 'Sending',
    help: 'the domains that accounts send from, and what signs their mail',
    uses: [
      {
        verb: 'add',
        argument: 'DOMAIN',
        help: 'adds one, and prints the records to publish',
        options: [
          accountOption,
          createFlag('default', 'mail of other domains leaves from it'),
          createFlag('verified', 'it counts as verified without a look at its records'),
        ],
      },
      {
        verb: 'keys',
        argument: 'DOMAIN',
        help: 'makes new keys: publish their records, then verify',
        options: [accountOption],
      },
      { verb: 'records', argument: 'DOMAIN', help: 'prints its records', options: [accountOption] },
      {
        verb: 'verify',
        argument: 'DOMAIN',
        help: 'looks its records up; status 1: not verified',
        options: [accountOption],
      },
      {
        verb: 'warm-up',
        argument: 'DOMAIN',
        help: 'lets it send more day by day',
        options: [
          accountOption,
          { ...fromOption, help: 'the first day (UTC)', fallback: 'today' },
          createFlag('off', 'ends that'),
        ],
      },
      { verb: 'list', help: 'lists those of an account', options: [accountOption] },
      { verb: 'remove', argument: 'DOMAIN', help: 'removes one', options: [accountOption] },
    ],
    examples: [
      ['domains add mail.example.com --account ACME001 --default', 'the records are in the form of a zone file'],
      ['domains verify mail.example.com --account ACME001', 'once they are published'],
    ],
    load: async () => (await import('./commands/domains.ts')).domainsCommand,
  },
  {
    name: 'drop-places',
    group: 'Sending',
    help: 'where imports pull their files from',
    uses: [
      {
        verb: 'set',
        help: 'sets that of an account',
        options: [
          accountOption,
          { name: 'url', value: 'ADDRESS', help: 'file:///PATH or sftp://NAME:PASSWORD@HOST/PATH', isRequired: true },
          { ...fileOption, help: 'the private key of sftp, instead of a password' },
        ],
      },
      { verb: 'list', help: 'lists all' },
      { verb: 'remove', help: 'removes that of an account', options: [accountOption] },
    ],
    examples: [['drop-places set --account ACME001 --url file:///srv/drops/acme', 'a directory of this machine']],
    load: async () => (await import('./commands/drop-places.ts')).dropPlacesCommand,
  },
  {
    name: 'backup',
    group: 'Keeping',
    help: 'copies the database, and the files that belong to it',
    more: 'The database is copied as of one instant; the service may run meanwhile.',
    uses: [
      {
        help: 'makes a backup',
        options: [
          { name: 'to', value: 'DIRECTORY', words: 'directory', help: 'a new directory', isRequired: true },
          createFlag('without-secrets', 'leaves the master key out'),
        ],
      },
    ],
    examples: [['backup --to /backups/2027-03-01', 'a whole backup']],
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    group: 'Keeping',
    help: 'puts a backup into an empty data directory and an empty database',
    uses: [
      {
        help: 'restores a backup',
        options: [
          { name: 'from', value: 'DIRECTORY', words: 'directory', help: 'the backup', isRequired: true },
          {
            name: 'outbox',
            value: 'WHAT',
            words: ['hold', 'send'],
            help: 'hold or send what waited, and may have left since',
            fallback: 'hold',
          },
        ],
      },
    ],
    examples: [['restore --from /backups/2027-03-01', 'what waited to be sent is held']],
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'machines',
    group: 'Keeping',
    help: 'the data directories that processes were started on',
    uses: [
      { verb: 'list', help: 'lists them, with what their senders have in hand' },
      {
        verb: 'settle',
        argument: 'ID',
        help: 'decides about the messages of one that never comes back',
        options: [
          {
            name: 'decision',
            value: 'WHAT',
            words: ['send', 'drop'],
            help: 'drop: never sent again; send: sent, and some may come twice',
            isRequired: true,
          },
        ],
      },
    ],
    examples: [['machines settle 0a1b2c3d --decision drop', 'its messages are not sent again']],
    load: async () => (await import('./commands/machines.ts')).machinesCommand,
  },
  {
    name: 'events-store',
    group: 'Keeping',
    help: 'the column store that has the history of events',
    more: 'It needs STENTOR_EVENTS_URL.',
    uses: [
      { verb: 'create', help: 'makes its tables' },
      { verb: 'status', help: 'says how far it is' },
      { verb: 'copy', help: 'copies events again', options: [fromOption, toOption] },
      {
        verb: 'verify',
        help: 'compares both sides day by day; status 1: they differ',
        options: [fromOption, toOption],
      },
      { verb: 'drop-hot', help: 'drops months of PostgreSQL that are in the store' },
    ],
    examples: [['events-store verify --from 2027-01-01 --to 2027-02-01', 'the events of January']],
    load: async () => (await import('./commands/events-store.ts')).eventsStoreCommand,
  },
  {
    name: 'psql',
    group: 'Keeping',
    help: 'runs psql on the database of the service',
    more: 'The embedded database is started for it when it does not run.',
    uses: [
      {
        rest: '-- ARGUMENTS OF PSQL',
        help: 'runs psql',
        options: [createFlag('address', 'prints the address of the database instead')],
      },
    ],
    examples: [["psql -- -c 'select version()'", 'one statement']],
    load: async () => (await import('./commands/psql.ts')).psqlCommand,
  },
  {
    name: 'master-key',
    group: 'Keeping',
    help: 'for an installation whose master key is lost',
    uses: [{ verb: 'accept', help: 'lets the configured key count from now on; what was sealed must be given again' }],
    examples: [['master-key accept', 'with STENTOR_MASTER_KEY set to a new one']],
    load: async () => (await import('./commands/master-key.ts')).masterKeyCommand,
  },
  {
    name: 'completion',
    group: 'Help',
    help: 'prints what lets a shell complete commands and options',
    uses: [{ argument: 'SHELL', words: ['bash', 'zsh'], help: 'for bash or zsh' }],
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/stentor', 'for new shells of bash'],
      ['completion zsh > ~/.zfunc/_stentor', 'for zsh, with ~/.zfunc in its fpath'],
    ],
    load: async (table) => (await import('./commands/completion.ts')).createCompletionCommand(table),
  },
  {
    name: 'help',
    group: 'Help',
    help: 'says what a command is for, and what it takes',
    uses: [{ argument: '[COMMAND]', help: 'of one command, or of all' }],
    examples: [['help keys', 'the same as "keys --help"']],
    load: async (table) => (await import('./help.ts')).createHelpCommand(table),
  },
]

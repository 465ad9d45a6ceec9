import { parseArgs } from 'node:util'
import { explain } from './commands/explain.ts'
import { type Command, UsageError } from './commands/usage.ts'
import { readConfig } from './config.ts'
import { nearest } from './lib/nearest.ts'
import { limitMemory } from './memory.ts'
import { VERSION } from './version.ts'

/** Each is loaded when it is used: a wrong command line is answered at once. */
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand,
  people: async () => (await import('./commands/people.ts')).peopleCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  gateways: async () => (await import('./commands/gateways.ts')).gatewaysCommand,
  domains: async () => (await import('./commands/domains.ts')).domainsCommand,
  'drop-places': async () => (await import('./commands/drop-places.ts')).dropPlacesCommand,
  machines: async () => (await import('./commands/machines.ts')).machinesCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  'events-store': async () => (await import('./commands/events-store.ts')).eventsStoreCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  psql: async () => (await import('./commands/psql.ts')).psqlCommand,
  'master-key': async () => (await import('./commands/master-key.ts')).masterKeyCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
}

const USAGE = `Stentor ${VERSION}

stentor start [--role all|api,tracking,inbound,jobs,sender]
stentor migrate
stentor accounts create CODE --name NAME | list | limit CODE --rate N --burst N
stentor people invite EMAIL --account CODE --role viewer|author|sender|admin | list | reset EMAIL [--second-factor] | deactivate EMAIL | activate EMAIL | operator EMAIL [--off]
stentor keys create --account CODE [--name NAME] [--rights read,write,send,admin] [--expires DATE] | list --account CODE | revoke ID
stentor gateways add --kind smtp --url smtp://… | --kind smtp-direct | --kind sms-smpp --url smpp://… | --kind sms-http --file FILE.json [--channel CHANNEL] [--account CODE] [--name NAME] | list | remove ID
stentor domains add DOMAIN --account CODE [--default] [--verified] | keys DOMAIN --account CODE | records DOMAIN --account CODE | verify DOMAIN --account CODE | warm-up DOMAIN --account CODE [--from DATE | --off] | list --account CODE | remove DOMAIN --account CODE
stentor drop-places set --account CODE --url file:///PATH | --url sftp://NAME:PASSWORD@HOST/PATH | --url sftp://NAME@HOST/PATH --file KEY | list | remove --account CODE
stentor machines list | settle ID --decision send|drop
stentor backup --to DIRECTORY [--without-secrets]
stentor restore --from DIRECTORY [--outbox hold|send]
stentor events-store create | status | copy --from DATE --to DATE | verify --from DATE --to DATE | drop-hot
stentor psql [--address] [-- ARGUMENTS OF PSQL]
stentor master-key accept
stentor mcp
stentor doctor [--providers]

CODE is an account such as ACME001. Settings come from the environment: docs/operations.md lists them.
`

/** Splits arguments and options; each command checks which ones it knows. */
function split(argv: string[]): { words: string[]; options: Record<string, string | boolean | undefined> } {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      role: { type: 'string' },
      account: { type: 'string' },
      name: { type: 'string' },
      rights: { type: 'string' },
      expires: { type: 'string' },
      rate: { type: 'string' },
      burst: { type: 'string' },
      channel: { type: 'string' },
      kind: { type: 'string' },
      url: { type: 'string' },
      file: { type: 'string' },
      default: { type: 'boolean' },
      verified: { type: 'boolean' },
      from: { type: 'string' },
      to: { type: 'string' },
      outbox: { type: 'string' },
      decision: { type: 'string' },
      'without-secrets': { type: 'boolean' },
      address: { type: 'boolean' },
      off: { type: 'boolean' },
      'second-factor': { type: 'boolean' },
      providers: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  })
  return { words: positionals, options: values }
}

async function main(argv: string[]): Promise<number> {
  const { words, options } = split(argv)
  const [name, ...rest] = words
  if (options['version']) {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  if (name === undefined || options['help']) {
    process.stdout.write(USAGE)
    return name === undefined && !options['help'] ? 2 : 0
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    throw new UsageError(
      `There is no command "${name}". Did you mean "${nearest(name, Object.keys(commands))}"? --help lists them.`,
    )
  }
  if (name === 'start') limitMemory()
  const invocation = { words: rest, options, config: readConfig(process.env) }
  return (await load())(invocation)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`stentor: ${explain(error, process.env)}\n`)
  process.exitCode = 1
}

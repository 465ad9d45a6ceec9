import { parse } from 'yaml'
import { type ProcessRole, processRoles } from '../../../src/config.ts'
import { rolesOf } from './accepted.ts'
import { read, readAssignments } from './checkout.ts'

/** A service of a compose file, as far as it is looked at. */
export interface ComposeService {
  image?: string
  build?: { context: string; dockerfile: string }
  command?: string[]
  environment?: Record<string, string | number>
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test: string[] }
  stop_grace_period?: string
  restart?: string
  networks?: string[] | Record<string, { ipv4_address: string }>
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
  networks: { stentor: { ipam: { config: { subnet: string; ip_range: string }[] } } }
}

/** Values for every variable of deploy/.env.example, as an operator fills them in. */
export function filledIn(): Record<string, string> {
  const given = readAssignments(read('deploy/.env.example'))
  const made: Record<string, string> = {
    STENTOR_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    STENTOR_SMTP_URL: '',
  }
  return Object.fromEntries(given.map(([name, value]) => [name, value || (made[name] ?? 'abc123')]))
}

/** What a value is with these variables: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`. Throws where one is needed and is not there. */
function interpolated(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind: string, rest: string) => {
    const value = variables[name]
    if (value !== undefined && value !== '') return value
    if (kind !== '-') throw new Error(`${name} is not there: ${rest}`)
    return rest
  })
}

/** A compose file with these variables, its merges done. */
export function readCompose(path: string, variables = filledIn()): ComposeFile {
  return parse(interpolated(read(path).replaceAll(/^\s*#.*$/gm, ''), variables), { merge: true })
}

/** The names of all variables that a file asks for. */
export function variablesOf(path: string): string[] {
  return [...new Set([...read(path).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))]
}

/** The services that run the program, with the roles that each plays. */
export function programsOf({
  services,
}: ComposeFile): [name: string, service: ComposeService, played: ProcessRole[]][] {
  return Object.entries(services)
    .filter(([, { image }]) => image === 'stentor')
    .map(([name, service]) => [name, service, rolesOf(service.command ?? [])])
}

/** Roles whose data directory nobody else may use: their journals and spools are in it. */
export const writers: readonly ProcessRole[] = processRoles.filter((role) => role !== 'api' && role !== 'jobs')

import { spawnSync } from 'node:child_process'
import { GENERATOR, installGenerator } from './generator.ts'

/**
 * Holds openapi.json to the recommended rules of Redocly; a warning is a failure, too. What cannot be otherwise is listed with its reason
 * in scripts/generate/.redocly.lint-ignore.yaml.
 */
installGenerator()
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  ['node_modules/@redocly/cli/bin/cli.js', 'lint', '../../openapi.json', '--config=redocly.yaml', '--format=json'],
  {
    cwd: GENERATOR,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
)

interface Found {
  ruleId: string
  severity: string
  message: string
  location: { pointer?: string }[]
  ignored?: boolean
}

if (!stdout.includes('{')) throw new Error(`checking the API description failed: ${stderr}`)
const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: Found[] }
const open = problems.filter(({ ignored }) => !ignored)
for (const { ruleId, severity, message, location } of open)
  process.stderr.write(`${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? 'the document'})\n`)
if (status !== 0 || open.length > 0) process.exitCode = 1

/**
 * Ends with status 0 when the service of this container or machine is ready, else with 1 and one line that says why: the
 * health check of the image. It reads the port from the settings that the service has.
 */
const { STENTOR_HTTP_PORT: port = '8080', STENTOR_HTTP_HOST: host = '127.0.0.1' } = process.env
const address = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

try {
  const answer = await fetch(`http://${address}:${port}/health/ready`, { signal: AbortSignal.timeout(4000) })
  const text = await answer.text()
  process.stdout.write(`${text}\n`)
  process.exitCode = answer.ok ? 0 : 1
} catch (error) {
  process.stdout.write(`no response: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

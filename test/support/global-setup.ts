import { COMPILE_CACHE } from './compile-cache.ts'
import { startTemplate, TEMPLATE_URL, type TemplateServer } from './database.ts'

let server: TemplateServer | undefined

/** One database server for the whole run; the processes of the test files inherit the variables that say where. */
export async function globalSetup(): Promise<void> {
  server = await startTemplate()
  process.env[TEMPLATE_URL] = server.url
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}

import { startTemplate, TEMPLATE_URL, type TemplateServer } from './database.ts'

let server: TemplateServer | undefined

/** One database server for the whole run; the processes of the test files inherit the variable that says where. */
export async function globalSetup(): Promise<void> {
  server = await startTemplate()
  process.env[TEMPLATE_URL] = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}

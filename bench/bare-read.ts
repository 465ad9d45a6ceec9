import fastify from 'fastify'
import { openDatabasePool } from '../src/database/connection/connect.ts'

/** The baseline of `api`: a bare Fastify route that does the same select, in a process of its own. */
const [url = '', account = ''] = process.argv.slice(2)
const { pool } = openDatabasePool(url, { max: 20 })
const app = fastify()
app.get<{ Params: { id: string } }>('/targets/:id', async ({ params }) => {
  const { rows } = await pool.query(
    `select c.*, (select json_agg(b) from bounce_flags b where b.account = c.account and b.contact = c.id) as bounce,
       (select json_agg(r) from red_list r where r.account = c.account and r.contact = c.id) as red_list
     from contacts c where c.account = $1 and c.id = $2`,
    [account, Number.parseInt(params.id, 36)],
  )
  return rows[0]
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as { port: number }).port })
process.on('disconnect', () => process.exit())

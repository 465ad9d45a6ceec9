import fastify from 'fastify'

/** The baseline of `hits`, in a process of its own: a route that redirects and records nothing. */
const app = fastify()
app.get('/t/r/:token', (_request, reply) => reply.code(302).header('location', 'https://shop.example/a').send())
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: Number(new URL(address).port) })
process.on('disconnect', () => process.exit())

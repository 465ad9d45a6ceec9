/** What a gateway connects to, and where its settings say so: a pointer (RFC 6901) into them. */
export type GatewayRemote = { pointer: string } & ({ host: string; port: number } | { url: string })

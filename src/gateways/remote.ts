/** A remote that a gateway connects to, and the setting that names it, as a pointer (RFC 6901). */
export type GatewayRemote = { pointer: string } & ({ host: string; port: number } | { url: string })

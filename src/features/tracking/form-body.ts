/**
 * The fields of a posted form: `application/x-www-form-urlencoded` or `multipart/form-data` (RFC 8058, 3.1 allows both).
 * None when it is neither, or ill-formed.
 */
export async function readForm(body: Buffer, contentType: string): Promise<Map<string, string>> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
    const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
    return new Map(fields)
  } catch (error) {
    if (error instanceof TypeError) return new Map()
    throw error
  }
}

/** A field of a posted form: its name, and its text. */
export type PostedFormEntry = readonly [name: string, text: string]

const URLENCODED = 'application/x-www-form-urlencoded'

/**
 * The fields of a posted form in their order: `application/x-www-form-urlencoded` or `multipart/form-data` (RFC 8058,
 * 3.1 allows both), the former where no type is named. None when it is neither, or ill-formed; files are left out.
 */
export async function parsePostedEntries(body: Buffer, contentType: string): Promise<PostedFormEntry[]> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType || URLENCODED },
    }).formData()
    return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  } catch (error) {
    if (error instanceof TypeError) return []
    throw error
  }
}

/** As parsePostedEntries, by name; of equal names the last one counts. */
export async function parsePostedForm(body: Buffer, contentType: string): Promise<Map<string, string>> {
  return new Map(await parsePostedEntries(body, contentType))
}

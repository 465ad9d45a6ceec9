export interface SnippetContext {
  /** URL at which devices register: the device route of the account. */
  url: string
  application: string
  /** Public key of Web Push; null if the application has none. */
  publicKey: string | null
  /** Devices prove who their contact is. */
  isProven: boolean
}

/** JavaScript of the server where people log in: the app sends the proof that it signs with the contact. */
export const serverSnippet = ({ application }: SnippetContext): string => `import { createHmac } from 'node:crypto'

/** contact: the id of the contact who is logged in. The proof is valid for an hour; the maximum is a day. */
export function proofOf (contact) {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const encoded = [{ alg: 'HS256' }, { sub: contact, aud: '${application}', exp }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return encoded + '.' + createHmac('sha256', process.env.SIGNING_SECRET).update(encoded).digest('base64url')
}
`

/** Kotlin: called at each start, when the token changes and when somebody logs in. */
export const androidSnippet = ({
  url,
  application,
  isProven,
}: SnippetContext): string => `class Stentor(private val context: Context) {
    private val store = context.getSharedPreferences("stentor", Context.MODE_PRIVATE)

    /** One id for this installation, made once and kept. */
    private val id: String
        get() = store.getString("id", null)
            ?: UUID.randomUUID().toString().also { store.edit().putString("id", it).apply() }

    ${isProven ? '/** contact and proof: of who is logged in, from your server; null keeps the one before. */' : '/** hash: that of the contact who is logged in; null keeps the one before. */'}
    fun register(${isProven ? 'contact: String?, proof: String?' : 'hash: String?'}) = FirebaseMessaging.getInstance().token.addOnSuccessListener { token ->
        val body = JSONObject()
            .put("id", id)
            .put("application", "${application}")
            .put("gateway", JSONObject().put("type", "firebase").put("token", token))
            .put("culture", Locale.getDefault().language)
        ${isProven ? 'if (contact != null) body.put("linked", JSONObject().put("type", "id").put("value", contact).put("proof", proof))' : 'if (hash != null) body.put("linked", JSONObject().put("type", "hash").put("value", hash))'}
        thread {
            val call = URL("${url}").openConnection() as HttpURLConnection
            call.requestMethod = "PUT"
            call.setRequestProperty("Content-Type", "application/json")
            call.doOutput = true
            call.outputStream.use { it.write(body.toString().toByteArray()) }
            call.responseCode
            call.disconnect()
        }
    }
}
`

/** Swift: with the token of didRegisterForRemoteNotificationsWithDeviceToken. */
export const iosSnippet = ({ url, application, isProven }: SnippetContext): string => `enum Stentor {
    /// One id for this installation, made once and kept.
    static var id: String {
        if let known = UserDefaults.standard.string(forKey: "stentor.id") { return known }
        let made = UUID().uuidString
        UserDefaults.standard.set(made, forKey: "stentor.id")
        return made
    }

    ${isProven ? '/// contact and proof: of who is logged in, from your server; nil keeps the one before.' : '/// hash: that of the contact who is logged in; nil keeps the one before.'}
    static func register(deviceToken: Data, ${isProven ? 'contact: String?, proof: String?' : 'hash: String?'}) async throws {
        var body: [String: Any] = [
            "id": id,
            "application": "${application}",
            "gateway": ["type": "apns", "token": deviceToken.map { String(format: "%02x", $0) }.joined()],
            "culture": Locale.current.identifier,
        ]
        ${isProven ? 'if let contact, let proof { body["linked"] = ["type": "id", "value": contact, "proof": proof] }' : 'if let hash { body["linked"] = ["type": "hash", "value": hash] }'}
        var request = URLRequest(url: URL(string: "${url}")!)
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        _ = try await URLSession.shared.data(for: request)
    }
}
`

/** JavaScript of a page; its service worker shows what comes in. */
export const webSnippet = ({
  url,
  application,
  publicKey,
  isProven,
}: SnippetContext): string => `const KEY = '${publicKey ?? ''}'

${isProven ? '/** contact and proof: of who is logged in, from your server; left out, the one before is kept. */' : '/** hash: that of the contact who is logged in; left out, the one before is kept. */'}
export async function register (${isProven ? 'contact, proof' : 'hash'}) {
  const worker = await navigator.serviceWorker.register('/service-worker.js')
  const push = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: KEY })
  const { endpoint, keys } = push.toJSON()
  const id = localStorage.getItem('stentor') ?? crypto.randomUUID()
  localStorage.setItem('stentor', id)
  await fetch('${url}', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id,
      application: '${application}',
      provider: { type: 'webpush', endpoint, keys },
      culture: navigator.language,
      ${isProven ? "...(contact && { contact: { type: 'id', value: contact, proof } })" : "...(hash && { contact: { type: 'hash', value: hash } })"},
    }),
  })
}
`

/** A call from any computer, to see an answer. */
export const curlSnippet = ({ url, application }: SnippetContext): string => `curl -i -X PUT '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "id": "'"$(uuidgen)"'", "application": "${application}", "gateway": { "type": "http", "token": "test" } }'
`

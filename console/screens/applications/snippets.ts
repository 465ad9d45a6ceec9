export interface Place {
  /** Where devices register: the device route of the account. */
  url: string
  application: string
  /** Of Web Push; null: the application has none. */
  publicKey: string | null
}

/** Kotlin: called at each start, when the token changes and when somebody logs in. */
export const android = ({ url, application }: Place): string => `class Stentor(private val context: Context) {
    private val store = context.getSharedPreferences("stentor", Context.MODE_PRIVATE)

    /** One id for this installation, made once and kept. */
    private val id: String
        get() = store.getString("id", null)
            ?: UUID.randomUUID().toString().also { store.edit().putString("id", it).apply() }

    /** hash: that of the contact who is logged in; null keeps the one before. */
    fun register(hash: String?) = FirebaseMessaging.getInstance().token.addOnSuccessListener { token ->
        val body = JSONObject()
            .put("id", id)
            .put("application", "${application}")
            .put("gateway", JSONObject().put("type", "firebase").put("token", token))
            .put("culture", Locale.getDefault().language)
        if (hash != null) body.put("linked", JSONObject().put("type", "hash").put("value", hash))
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
export const ios = ({ url, application }: Place): string => `enum Stentor {
    /// One id for this installation, made once and kept.
    static var id: String {
        if let known = UserDefaults.standard.string(forKey: "stentor.id") { return known }
        let made = UUID().uuidString
        UserDefaults.standard.set(made, forKey: "stentor.id")
        return made
    }

    /// hash: that of the contact who is logged in; nil keeps the one before.
    static func register(deviceToken: Data, hash: String?) async throws {
        var body: [String: Any] = [
            "id": id,
            "application": "${application}",
            "gateway": ["type": "apns", "token": deviceToken.map { String(format: "%02x", $0) }.joined()],
            "culture": Locale.current.identifier,
        ]
        if let hash { body["linked"] = ["type": "hash", "value": hash] }
        var request = URLRequest(url: URL(string: "${url}")!)
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        _ = try await URLSession.shared.data(for: request)
    }
}
`

/** JavaScript of a page; its service worker shows what comes in. */
export const web = ({ url, application, publicKey }: Place): string => `const KEY = '${publicKey ?? ''}'

/** hash: that of the contact who is logged in; left out, the one before is kept. */
export async function register (hash) {
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
      ...(hash && { contact: { type: 'hash', value: hash } }),
    }),
  })
}
`

/** A call from any computer, to see an answer. */
export const curl = ({ url, application }: Place): string => `curl -i -X PUT '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "id": "'"$(uuidgen)"'", "application": "${application}", "gateway": { "type": "http", "token": "test" } }'
`

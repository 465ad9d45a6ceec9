import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bounceRules, type SmtpStage } from './bounce-rules.ts'
import { findBounceSubject, isAddressRelatedBounce, isHardBounceCode, toHardBounceCode } from './bounce-subjects.ts'
import { classifyBounce, detectSmtpStage } from './classify-mail-bounce.ts'

/** What was said, the rule that must decide, and the flag of a hard verdict (none: soft). */
type Sample = [rule: string, text: string, flag?: number | undefined, stage?: SmtpStage]

const samples: Sample[] = [
  ['dns-nxdomain', 'nxdomain', 51, 'lookup'],
  ['dns-null-mx', 'null mx', 51, 'lookup'],
  ['dns-failure', 'servfail', undefined, 'lookup'],
  ['dns-failure', 'timeout', undefined, 'lookup'],
  ['domain-closed', '556 5.1.10 Domain shop.test does not accept mail (nullMX)', 51],
  ['domain-closed', '521 5.3.2 System not accepting network messages', 51],
  ['quota', '552 5.2.2 Mailbox full'],
  ['quota', '550 5.1.1 User unknown or over quota'],
  ['quota', '552 Requested mail action aborted: exceeded storage allocation'],
  ['quota', '550 La boîte du destinataire est pleine'],
  ['quota', '554 El buzón está lleno'],
  ['quota', '552 Das Postfach ist voll'],
  ['temporary-greylist', '450 4.7.1 <ann@shop.test>: Recipient address rejected: Greylisted'],
  ['temporary-rate', '421 Too many connections from your host'],
  [
    'temporary-rate',
    '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
  ],
  ['temporary-later', '451 4.3.0 Temporarily unable to process your email'],
  ['temporary-later', 'Host not found, try again'],
  ['temporary-later', '421 Service refuse. Veuillez essayer plus tard.'],
  ['sender-spf', '550 SPF check failed for your domain'],
  ['sender-dmarc', '550 5.7.1 Email rejected per DMARC policy for shop.test'],
  ['sender-dkim', '550 5.7.20 No valid DKIM signature'],
  ['sender-reverse-dns', '554 5.7.1 Missing reverse DNS for 203.0.113.2'],
  ['sender-unauthenticated', '550 Unauthenticated senders not allowed'],
  ['sender-refused', '553 5.1.8 <a@shop.test>... Domain of sender address a@shop.test does not exist'],
  ['sender-refused', '550 Unknown user in reply to MAIL FROM', undefined, 'mail'],
  ['block-list', '554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.blocklist.test'],
  ['block-spam', '550 5.7.1 Message looks like spam, and the user is unknown'],
  ['block-reputation', '550 very low reputation of the sending IP address'],
  ['block-permission', "550 Le groupe n'existe pas ou vous n'êtes pas autorisé à lui écrire"],
  ['block-policy', '554 5.7.9 Message not accepted for policy reasons'],
  ['block-policy', '550 Access denied'],
  ['block-after-data', '550 Unknown user', undefined, 'data'],
  ['block-after-data', '550 : User unknown'],
  ['block-contradicted', '550 5.2.0 Unknown user ann@shop.test'],
  ['block-contradicted', '550 5.2.1 Unknown user', undefined],
  ['content-virus', '554 Your message contains a virus'],
  ['content-size', '552 5.3.4 Message size exceeds fixed maximum message size (10485760)'],
  ['content-format', "554 Transaction failed: Duplicate header 'From'."],
  ['program-failed', 'x-unix; procmail: Could not write: No such user'],
  ['relay', '550 5.7.1 Relaying denied, recipient not local'],
  ['user-unknown', '550 5.1.1 no such user', 52],
  ['user-unknown', '550 5.1.1 Unknown user', 52, 'data'],
  ['user-unknown', "554 This user doesn't have an account here", 52, 'data'],
  ['user-unknown', '550 5.2.1 Unknown user', 52, 'rcpt'],
  ['user-unknown', '550 User unknown in relay recipient table', 52],
  ['user-unknown', '550 #5.1.0 Address rejected.', 52],
  ['user-unknown', '550 5.1.1 Unknown user. Check the address and try again', 52],
  ['user-unknown', '550 Usuário não encontrado', 52],
  ['user-unknown', '550 Okänd mottagare', 52],
  ['user-unknown', '550 Felhasználó nem létezik', 52],
  ['user-unknown', '550 <ann@shop.test>: User unknown', 52],
  [
    'user-unknown',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address",
    52,
  ],
  ['user-unknown', '550 5.4.1 Recipient address rejected: Access denied', 52],
  ['user-unknown', '550 Requested action not taken: mailbox unavailable', 52, 'rcpt'],
  ['user-unknown', '550 Destinataire inconnu', 52],
  ['user-unknown', '550 El usuario no existe', 52],
  ['user-unknown', '550 Empfänger unbekannt', 52],
  ['user-unknown', '550 宛先が見つかりません', 52],
  ['user-unknown', '550 RESOLVER.ADR.RecipNotFound; not found', 52],
  ['user-moved', '550 5.0.0 Destination mailbox has moved, no forwarding address', 52],
  ['user-closed', '554 This account has been disabled or discontinued', 52],
  ['user-closed', '550 5.2.1 Mailbox no longer in use', 52],
  [
    'domain-unknown',
    '5.4.4 Host or domain name not found. Name service error for name=shop.test type=A: Host not found',
    51,
  ],
  ['domain-unknown', '550 Domain does not exist', 51],
  ['domain-unknown', 'all relevant MX records point to non-existent hosts', 51],
  ['syntax', '553 malformed address', 52, 'rcpt'],
  ['relay', '554 5.7.1 Relaying denied'],
  ['network-loop', '554 5.4.6 Too many hops'],
  ['network-configuration', '550 mail server misconfigured'],
  ['network-expired', '4.4.7 delivery time expired'],
  ['network-refused', 'connect to mx.shop.test[203.0.113.1]:25: Connection refused'],
  ['network-timeout', 'connect to mx.shop.test[203.0.113.1]:25: Connection timed out'],
  ['network-connection', 'lost connection with mx.shop.test while performing the handshake'],
  ['network-route', 'connect to mx.shop.test[203.0.113.1]:25: No route to host'],
  ['network-directory', '451 4.4.3 LDAP directory not there'],
  ['code-2.1', '550 5.2.1 sorry', 52],
  ['code-7.13', '525 5.7.13 sorry', 52],
  ['code-1.6', '551 5.1.6 sorry', 52],
  ['code-1.0', '550 5.1.0 sorry'],
  ['code-7.606', '550 5.7.606 sorry'],
  ['block-list', '550 5.1.3 Refused, see http://www.barracudacentral.org/reputation/?pr=1&ip=203.0.113.9'],
  ['block-list', '550 5.1.3 <ann@shop.test>: see https://bl.shop.test/lookup?203.0.113.9'],
  ['block-list', '550 5.1.3 203.0.113.9 zen.shop.test'],
  ['sender-refused', '550 5.1.1 <bounce+abc@b.shop.test>: Unauthorized sender'],
  ['sender-refused', '550 5.1.1 unauthorised sender'],
  ['content-size', '550 5.1.1 max message size exceeded'],
  ['content-size', '550 5.2.3 message too large for this recipient'],
  ['code-2.3', '550 5.2.3 sorry'],
  ['user-unknown', '550 Invalid mailbox, user ann not found', 52],
  ['user-unknown', "550 <ann@shop.test> doesn't exist", 52],
  ['user-unknown', "550 mailbox does'nt exist", 52],
  ['user-unknown', "550 address dosn't exist", 52],
  ['user-unknown', '550 recipient dose not exsit', 52],
  ['user-unknown', '550 <ann@shop.test>: mailbox unavailable', 52],
  ['user-unknown', '550 No mail box available for this user', 52],
  ['user-unknown', '550 BAD_RECIPIENT', 52],
  ['user-unknown', '550 5.1.0 <ann@shop.test> recipient rejected', 52],
  ['domain-closed', '550 Host does not accept mail', 51],
  ['reply-550', '550 host does not accept mail from 203.0.113.9'],
  ['user-closed', '550 Mailbox has expired due to lack of use', 52],
  ['user-closed', '550 El buzón ha caducado por falta de uso', 52],
  ['user-closed', '550 La cuenta ha expirado por inactividad', 52],
  ['user-unknown', '550 5.1.1 no such user\nThis e-mail has been scanned for viruses and spam by a gateway.', 52],
  [
    'user-unknown',
    '550 5.1.1 user unknown\n-- \nThis message was scanned by MailScanner, and is believed to be clean of viruses.',
    52,
  ],
  ['block-policy', '550 Mailbox unavailable: rejected by policy'],
  ['code-7.1', '550 5.7.1 mailbox unavailable'],
  ['content-virus', '550 Your message was scanned and contains a virus'],
  ['reply-550', '550 no'],
  ['reply-451', '451 no'],
  ['none', 'Das hat leider nicht geklappt.'],
]

suite('rules that classify a refused mail', () => {
  for (const [rule, text, flag, stage] of samples) {
    test(`${rule} matches: ${text}`, () => {
      const analysis = classifyBounce({ stage: stage ?? null, reply: null, text })
      assert.equal(analysis.rule, rule)
      assert.equal(analysis.verdict === 'hard' ? toHardBounceCode(analysis.subject) : undefined, flag)
    })
  }

  test('every rule has a sample', () => {
    const named = new Set(samples.map(([rule]) => rule))
    assert.deepEqual(
      bounceRules.filter(({ id }) => !named.has(id)),
      [],
    )
  })
})

suite('verdicts documented by the contract', () => {
  test('a full mailbox is soft, an unknown domain is hard with flag 51 and a block is soft', () => {
    assert.equal(classifyBounce({ stage: 'rcpt', reply: 552, text: '552 5.2.2 over quota' }).verdict, 'soft')
    const unknown = classifyBounce({ stage: null, reply: null, text: '5.4.4 domain not found' })
    assert.equal(unknown.verdict, 'hard')
    assert.equal(toHardBounceCode(unknown.subject), 51)
    assert.equal(classifyBounce({ stage: 'data', reply: 550, text: '5.7.1 blocked, spam' }).verdict, 'soft')
  })

  test('a transient reply is soft, whatever its text', () => {
    assert.equal(classifyBounce({ stage: 'rcpt', reply: 450, text: '4.1.1 user unknown' }).verdict, 'soft')
    assert.equal(classifyBounce({ stage: 'rcpt', reply: 450, text: '450 user unknown' }).verdict, 'soft')
    assert.equal(classifyBounce({ stage: null, reply: null, text: '4.1.1 user unknown' }).verdict, 'soft')
  })

  test('the complete analysis of an unknown mailbox is returned', () => {
    assert.deepEqual(classifyBounce({ stage: 'rcpt', reply: 550, text: '550 5.1.1 no such user' }), {
      enhanced: '5.1.1',
      reply: 550,
      subject: { type: 'address', detail: { type: 'bad destination mailbox address' } },
      verdict: 'hard',
      rule: 'user-unknown',
    })
  })
})

suite('SMTP stage of a refusal', () => {
  const cases: [string, SmtpStage | null][] = [
    ['550 User unknown (in reply to RCPT TO command)', 'rcpt'],
    ['550 User unknown (in reply to RCPT\n    TO command)', 'rcpt'],
    ['192.0.2.1 failed after I sent the message.', 'data'],
    ['>>> RCPT To:<ann@shop.test>\n<<< 550 No\n>>> DATA\n<<< 503 No recipients', 'rcpt'],
    ['>>> MAIL From:<news@shop.test>\n<<< 250 Ok\n>>> DATA\n<<< 554 No', 'data'],
    ['refused to talk to me: 554 no', 'connect'],
    ['550 User unknown', null],
  ]
  for (const [text, stage] of cases)
    test(`finds stage ${stage} in: ${text}`, () => assert.equal(detectSmtpStage(text), stage))
})

suite('reply code of a refusal', () => {
  const reply = (text: string) => classifyBounce({ stage: null, reply: null, text }).reply

  test("is read before the server's text or alone", () => {
    assert.equal(reply('smtp; 550 5.1.1 no'), 550)
    assert.equal(reply("host said: '554-no'"), 554)
    assert.equal(reply('(#550)'), null)
    assert.equal(reply('550'), 550)
  })

  test('is not read from a size, port or year', () => {
    assert.equal(reply('Size (in bytes): 422'), null)
    assert.equal(reply('connect to shop.test port 465 failed'), null)
  })
})

suite('enhanced code of a refusal', () => {
  const enhanced = (text: string, status?: string) =>
    classifyBounce({ stage: null, reply: null, text, enhanced: status }).enhanced

  test('is read from the text, else from the status, else derived from the reply code', () => {
    assert.equal(enhanced('550 5.1.1 sorry', '5.0.0'), '5.1.1')
    assert.equal(enhanced('550 sorry', '5.2.1'), '5.2.1')
    assert.equal(enhanced('450 sorry'), '4.0.0')
    assert.equal(enhanced('550 sorry'), '5.0.0')
    assert.equal(enhanced('sorry'), '5.0.0')
  })

  test('is not read from an IP address or version, and a code with a detail is preferred', () => {
    assert.equal(enhanced('550 rejected by 5.1.1.7'), '5.0.0')
    assert.equal(enhanced("5.1.0 - Unknown address error 550-'5.2.2 Mailbox Full'"), '5.2.2')
  })
})

suite('subjects of enhanced codes', () => {
  test("use the registry's words; unlisted details become 0 and unlisted subjects undefined", () => {
    assert.deepEqual(findBounceSubject('7.30'), {
      type: 'security or policy',
      detail: { type: 'requiretls support required' },
    })
    assert.deepEqual(findBounceSubject('1.351'), { type: 'address', detail: { type: 'other address status' } })
    assert.deepEqual(findBounceSubject('0.0'), { type: 'other or undefined status' })
    assert.deepEqual(findBounceSubject('9.1'), { type: 'other or undefined status' })
  })

  test('are hard only for bad addresses and closed mailboxes', () => {
    const codes = ['1.1', '1.2', '1.3', '1.6', '1.10', '2.1', '7.13'] as const
    for (const code of codes) assert.ok(isHardBounceCode(code), code)
    for (const code of ['1.0', '1.4', '2.0', '2.2', '3.2', '4.7', '5.0', '6.0', '7.1', '9.1'] as const)
      assert.ok(!isHardBounceCode(code), code)
    assert.deepEqual(
      codes.map((code) => toHardBounceCode(findBounceSubject(code))),
      [52, 51, 52, 52, 51, 52, 52],
    )
  })

  test('about the message or the sender do not count against the address', () => {
    assert.deepEqual(
      (['7.1', '6.0', '5.0', '2.2', '4.7', '0.0'] as const).map((code) =>
        isAddressRelatedBounce(findBounceSubject(code)),
      ),
      [false, false, false, true, true, true],
    )
  })
})

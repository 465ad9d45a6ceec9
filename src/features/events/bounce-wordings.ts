/** One pattern of many wordings. */
export function any(...wordings: string[]): RegExp {
  return new RegExp(wordings.join('|'))
}

/** Words for a person or a mailbox that mail is sent to. */
const WHO = '(?:user(?:name)?|userid|mail ?box|account|recipient|address|alias|person|customer|inbox|addressee)'

/** The mailbox does not exist. */
export const unknownMailbox = any(
  `unknown (?:or illegal )?(?:local )?(?:virtual )?${WHO}`,
  `${WHO}(?: name)?(?: <a>)?,? (?:is |was )?(?:unknown|not (?:be )?(?:found|known|listed|recogni[sz]ed|present|valid|local|registered)|non-?existent|invalid)`,
  `no such (?:local |virtual )?(?:${WHO}|name)`,
  `no (?:local |valid )?${WHO}s? (?:here|by that name|for this|with that name|named|found)`,
  `not (?:our|a (?:known|valid|local|registered)(?: \\w+)?) ${WHO}`,
  `(?:invalid|nonexistent|non-existent|bad) (?:final delivery )?${WHO}(?!.{0,12}(?:syntax|format))`,
  "(?<!<h> |domain |domain name |host |hostname |sender address <a> )(?:does not|doesn'?t|do not|don'?t|did not|didn'?t) exist",
  "(?:does not|doesn'?t) have an? (?:\\S+ )?account",
  'no valid recipients?',
  'recipi?(?:ent)?notfound|recipient not found by smtp address lookup',
  'recipient address rejected: access denied',
  'no longer on (?:this )?server|inactive email address',
  // French, Spanish, Portuguese, Italian
  "(?:utilisateur|destinataire|adresse|bo[iî]te|compte)(?: \\S+){0,4} (?:inconnue?|invalide|inexistante?|introuvable|n'existe pas)",
  '(?:usuario|destinatario|direcci[oó]n|buz[oó]n|cuenta)(?: \\S+){0,4} (?:desconocid[oa]|inexistente|no existe|inv[aá]lid[oa]|no encontrad[oa])',
  '(?:usu[aá]rio|destinat[aá]rio|endere[cç]o|caixa)(?: \\S+){0,4} (?:desconhecid[oa]|inexistente|n[aã]o existe|inv[aá]lid[oa])',
  '(?:utente|destinatario|indirizzo|casella)(?: \\S+){0,4} (?:sconosciut[oa]|inesistente|non esiste|non trovat[oa]|non valid[oa])',
  // German, Dutch, Polish, Czech
  '(?:benutzer|empf[aä]nger|postfach|adresse|konto)(?: \\S+){0,4} (?:unbekannt|existiert nicht|nicht gefunden|ung[uü]ltig|nicht bekannt|nicht vorhanden)',
  'unbekannte[rs]? (?:benutzer|empf[aä]nger|adresse)',
  '(?:gebruiker|ontvanger|adres|postvak)(?: \\S+){0,4} (?:onbekend|bestaat niet|niet gevonden)|onbekende (?:gebruiker|ontvanger)',
  'nieznany (?:u[zż]ytkownik|adresat|odbiorca)|(?:u[zż]ytkownik|konto|adres)(?: \\S+){0,4} nie istnieje|nezn[aá]m[yý] (?:u[zž]ivatel|p[rř][ií]jemce)',
  // Russian
  '(?:пользовател[ья]|адресат|ящик|получател[ья])(?: \\S+){0,4} не (?:найден|существует|зарегистрирован)|нет такого (?:пользователя|ящика|адреса)|неизвестный (?:пользователь|получатель)',
  // Japanese, Chinese, Korean
  '(?:ユーザー?|宛先|あて先|アドレス|受信者|ディレクトリ|メールボックス)[^。]{0,40}(?:見つかりません|存在しません|ありません|存在しない)',
  '(?:用户|用戶|收件人|邮箱|郵箱|帐号|账号|地址)[^。]{0,8}(?:不存在|未知)|查无此',
  '(?:사용자|수신자|주소)[^.]{0,12}(?:없습니다|존재하지)',
)

/** The mailbox is closed for good. */
export const closedMailbox = any(
  `${WHO}(?:\\(s\\)| \\(?s\\)?)?(?: <a>)?(?: \\S+){0,8}? (?:is |are |has been |have been |was |been )(?:currently )?(?:disabled|closed|deactivated|inactive|suspended|discontinued|expired|terminated|locked|frozen|cancel?led|removed|deleted)`,
  `(?:disabled|inactive|deactivated|expired|closed|suspended|locked) (?:recipient|user|account|mail ?box|e-?mail)`,
  'no longer (?:active|valid|available|in use|exists?|employed|works?|accepts|accepting|with (?:us|the))',
  'compte(?: \\S+){0,4} (?:d[eé]sactiv[eé]|ferm[eé]|cl[oô]s|suspendu)',
  'cuenta(?: \\S+){0,4} (?:desactivada|suspendida|cerrada|inactiva)',
  'conta(?: \\S+){0,4} (?:desativada|suspensa|encerrada|inativa)',
  'account(?: \\S+){0,4} (?:disattivato|sospeso|chiuso)',
  '(?:konto|postfach)(?: \\S+){0,4} (?:deaktiviert|geschlossen|gesperrt|gel[oö]scht|inaktiv)',
  '(?:ящик|учетная запись)(?: \\S+){0,4} (?:отключен|заблокирован|удален)',
  '(?:帐号|账号|邮箱)[^。]{0,8}(?:停用|关闭|禁用|冻结)',
)

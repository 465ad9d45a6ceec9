/** One pattern of many wordings. */
export function matchAnyWording(...wordings: string[]): RegExp {
  return new RegExp(wordings.join('|'))
}

/** Words for a mailbox that mail is sent to, and for whom it belongs to. */
const HOLDER_WORDS =
  'user(?:name)?|userid|mail ?box|mail ?drop|mbox|account|recipients?|address(?:es)?|alias|person|customer|subscriber|inbox|addressee'
const RECIPIENT_WORDS = `(?:${HOLDER_WORDS}|e-?mail(?: address)?|local[- ]?part)`
/** An e-mail that is deleted is no mailbox. */
const MAILBOX_WORDS = `(?:${HOLDER_WORDS})`

/** Up to four words in between. */
const FEW_WORDS = '(?: \\S+){0,4}'

const IS_NOT = "(?:is not|isn'?t|was not|wasn'?t|are not|aren'?t|not)"
/** Negations of "do", with common misspellings. */
const DOES_NOT = "(?:(?:does|dose|do|did) not|(?:does|dose|dos|do|did)n'?t|does'nt)"
const EXIST_WORDS = '(?:exist|exsit)'
const CANNOT =
  "(?:could not|couldn'?t|can ?not|can'?t|(?:is |was |were )?(?:unable|not able) to|wasn'?t|weren'?t|were not|was not)"

/** The mailbox does not exist. */
export const unknownMailboxPattern = matchAnyWording(
  // What programs make of a general code says nothing.
  `unknown (?!address error)(?:or illegal )?(?:local )?(?:virtual )?(?:e-?mail )?${RECIPIENT_WORDS}|(?:invalid or )?unknown virtual user`,
  `${RECIPIENT_WORDS}(?: name)?,?(?: \\(? ?<a>(?: \\))?)?,? (?:is |are |was |were )?(?:invalid or )?(?:unknown|non-?existent|inexistent|invalid)`,
  `${RECIPIENT_WORDS} \\S+ (?:is|are|was) (?:unknown|non-?existent)|nobody (?:of|by|with) (?:that|this)|destination address(?:es)? w(?:as|ere) unknown`,
  `${RECIPIENT_WORDS}(?: \\S+){0,4}? ${IS_NOT} (?:be )?(?:found|known|listed|recogni[sz]ed|present|local|registered|configured|defined|provisioned|hosted|in use here|one of (?:ours|our)|in (?:the |our |this )?(?:directory|database|list))`,
  `${RECIPIENT_WORDS}(?: \\S+){0,3}? ${DOES_NOT} appear in|no (?:matching|corresponding|existing|known) ${RECIPIENT_WORDS}|no ${RECIPIENT_WORDS} (?:called|like)`,
  `${RECIPIENT_WORDS}(?: name)?(?: <a>)? ${IS_NOT} valid`,
  `${RECIPIENT_WORDS}(?: \\S+){0,6}? ${CANNOT} (?:be )?(?:found|located|recogni[sz]ed|resolved)`,
  `${CANNOT} (?:find|locate|recogni[sz]e)(?: (?:the|a|an|any|this|that|such|your|intended|e-?mail|local))* ${RECIPIENT_WORDS}`,
  `no such (?:local |virtual |e-?mail |mail )?(?:${RECIPIENT_WORDS}|name|object)`,
  `no (?:local |valid )?${RECIPIENT_WORDS}s? (?:here|by (?:that|this) name|for|this|with that name|named|found|available|at this)|no one (?:at|by|with) (?:this|that)`,
  `${DOES_NOT} have an? (?:\\S+ )?(?:account|mail ?box|address)|never logged in`,
  `not (?:our|an? (?:known|valid|local|registered|recogni[sz]ed)(?: \\w+)?) ${RECIPIENT_WORDS}|not in our (?:customer|user) (?:list|base)`,
  `<a>,? (?:${IS_NOT} (?:found|known|a user|a mail ?box|an account)|(?:is )?unknown|(?:is )?invalid)(?! (?:sender|host|domain))|is unknown here`,
  `does not like recipient: unknown|not in my validrcptto|${RECIPIENT_WORDS} unavailable or not (?:local|exists?|found|known)`,
  `(?:invalid|nonexistent|non-existent|inexistent|bad|wrong|incorrect) (?:final delivery |destination )?${RECIPIENT_WORDS}(?!.{0,12}(?:syntax|format))`,
  `(?<!(?:<h>|domain|domain name|host|host ?name|computer|server|sender address <a>) )${DOES_NOT} ${EXIST_WORDS}`,
  `${RECIPIENT_WORDS} not exists?\\b`,
  "(?:wasn'?t|was not|weren'?t|could not be|couldn'?t be|not) found (?:at|in|on) (?:<h>|the|this|our|domain)(?! d(?:ns|omain name s))",
  'no valid recipients?|user missing home directory|badrcptto|bad_recipient|envelope recipient (?:has been denied|is in my)',
  'recipi?(?:ent)?notfound|recipient not found by smtp address lookup|(?:recipient|user|address|alias)(?: \\S+)? not here|is not here\\b',
  'recipient address rejected: access denied|wrong or no longer valid|verify the recipient(?: address)?$',
  'no longer on (?:this )?server|inactive email address',
  // French
  `(?:utilisateur|destinataires?|adresse|bo[iî]te|compte|mailbox)${FEW_WORDS} (?:inconnue?s?|invalides?|inexistante?s?|introuvables?|erron[eé]e?s?|n'existe pas|n'existent pas|n'a pas (?:pu [eê]tre|[eé]t[eé]) trouv[eé]e?)`,
  // Spanish, Catalan
  `(?:usuario|destinatario|direcci[oó]n|buz[oó]n|cuenta|correo|usuari|compte|adre[cç]a)${FEW_WORDS} (?:desconocid[oa]|desconeguda?|inexistente|inexistent|no existe|no existeix|inv[aá]lid[oa]|no v[aá]lid[oa]|no encontrad[oa]|no (?:se )?(?:ha )?(?:encontr(?:ado|[oó])|pudo encontrar))|no existe (?:dicha|ese|esa|este|esta|el|la) `,
  // Portuguese
  `(?:usu[aá]rio|utilizador|destinat[aá]rio|endere[cç]o|caixa|conta)${FEW_WORDS} (?:desconhecid[oa]|inexistente|n[aã]o existe|inv[aá]lid[oa]|n[aã]o (?:foi |p[oô]de ser )?(?:encontrad[oa]|localizad[oa]))`,
  // Italian
  `(?:utente|destinatario|indirizzo|casella|account)${FEW_WORDS} (?:sconosciut[oa]|inesistente|non esiste|non (?:[eè] stat[oa] )?trovat[oa]|non valid[oa])|nessun utente|non sono riuscito a trovare l'indirizzo`,
  // German
  `(?:benutzer|empf[aä]nger|postfach|adresse|adressat|konto|mailbox|teilnehmer|user)${FEW_WORDS} (?:unbekannt|existiert nicht|nicht (?:gefunden|bekannt|vorhanden|existent|g[uü]ltig|zugelassen)|konnte nicht gefunden|wurde nicht gefunden|ung[uü]ltig)`,
  'unbekannte[rs]? (?:benutzer|empf[aä]nger|adresse)|kein(?:e|en)? (?:solche[rsn]? )?(?:benutzer|empf[aä]nger|postfach|mailbox)',
  // Dutch
  `(?:gebruiker|ontvanger|geadresseerde|adres|e-mailadres|postvak|mailbox)${FEW_WORDS} (?:onbekend|bestaat niet|niet (?:gevonden|bekend)|is niet gevonden|kan niet worden gevonden)|onbekende (?:gebruiker|ontvanger|geadresseerde)`,
  // Swedish, Danish, Norwegian, Finnish
  `ok[aä]nd (?:mottagare|anv[aä]ndare|adress)|(?:anv[aä]ndaren?|mottagaren?|adressen|kontot|brevl[aå]dan)${FEW_WORDS} (?:ok[aä]nd|finns inte|existerar inte|(?:kunde inte )?hitta(?:de)?s(?: inte)?)`,
  `ukendt (?:bruger|modtager|adresse)|ukjent (?:bruker|mottaker|adresse)|(?:bruger|bruker|modtager|mottaker|adresse|konto)(?:en|n)?${FEW_WORDS} (?:ukendt|ukjent|findes ikke|finnes ikke|eksisterer ikke|(?:blev|ble) ikke fundet|ikke funnet)`,
  `tuntematon (?:k[aä]ytt[aä]j[aä]|vastaanottaja)|(?:k[aä]ytt[aä]j[aä]{1,2}|vastaanottajaa?|osoitetta)${FEW_WORDS} (?:ei (?:l[oö]ydy|ole)|tuntematon)`,
  // Polish, Czech, Slovak, Hungarian, Romanian
  `nie ma takiego (?:u[zż]ytkownika|adresu|odbiorcy)|nieznany (?:u[zż]ytkownik|adresat|odbiorca)|(?:u[zż]ytkownik|konto|adres|adresat|odbiorca|skrzynka)${FEW_WORDS} (?:nie istnieje|nieznany|nie (?:zosta[lł]a? )?znalezion[oya]?)`,
  `nezn[aá]m[yý] (?:u[zž]ivate[lľ]|p[rř][ií]jemce|adres[aá]t)|(?:u[zž]ivate[lľ]|adresa|adres[aá]t|p[rř][ií]jemce|schr[aá]nka|konto|[uú][cč]et)${FEW_WORDS} (?:neexistuje|nebyla? nalezena?|nezn[aá]m[yýaá])`,
  `ismeretlen (?:felhaszn[aá]l[oó]|c[ií]mzett)|(?:felhaszn[aá]l[oó]|c[ií]mzett|postafi[oó]k|e-mail c[ií]m)${FEW_WORDS} (?:nem l[eé]tezik|nem tal[aá]lhat[oó]|ismeretlen)`,
  `(?:utilizator(?:ul)?|destinatar(?:ul)?|adresa|contul|c[aă]su[tț]a)${FEW_WORDS} (?:necunoscut[aă]?|inexistent[aă]?|nu exist[aă]|nu a fost g[aă]sit[aă]?)`,
  // Turkish, Greek
  `(?:kullan[ıi]c[ıi]|al[ıi]c[ıi]|adres|hesap|posta kutusu)${FEW_WORDS} (?:bulunamad[ıi]|bilinmiyor|yok|mevcut de[gğ]il|ge[cç]ersiz)|bilinmeyen (?:kullan[ıi]c[ıi]|al[ıi]c[ıi])`,
  'άγνωστος (?:χρήστης|παραλήπτης)|(?:ο χρήστης|ο παραλήπτης|η διεύθυνση)(?: \\S+){0,4} δεν (?:υπάρχει|βρέθηκε)',
  // Russian, Ukrainian
  '(?:пользовател[ья]|адресат|ящик|получател[ья]|адрес|абонент|учетная запись)(?: \\S+){0,4} (?:не (?:найден|существует|зарегистрирован|обнаружен)|неизвестен|недействител)|(?:нет такого (?:пользователя|ящика|адреса|получателя)|так(?:ого|ой) (?:пользователя|ящика|адреса|получателя) нет|такого пользователя нет)|неизвестн(?:ый|ого) (?:пользовател|получател|адресат)|несуществующ',
  '(?:користувач|адресат|скринька|одержувач)(?: \\S+){0,4} не (?:знайдено|існує)',
  // Japanese, Chinese, Korean
  '(?:ユーザー?|宛先|あて先|アドレス|受信者|ディレクトリ|メールボックス|リスト)[^。]{0,40}(?:見つかりません|存在しません|ありません|存在しない|見つかりませんでした)|宛先不明|不明な(?:ユーザー?|宛先)',
  '(?:用户|用戶|收件人|邮箱|郵箱|信箱|帐号|账号|帳號|地址)[^。]{0,8}(?:不存在|未知|无效|無效|找不到)|(?:找不到|没有|查无|查無|不存在)[^。]{0,8}(?:用户|用戶|收件人|邮箱|郵箱|帐号|地址|此)',
  '(?:사용자|수신자|수신인|주소|메일함|계정)[^.]{0,16}(?:없습니다|존재하지|찾을 수 없)|없는 (?:사용자|주소)',
)

/** The mailbox is elsewhere now. */
export const movedMailboxPattern = matchAnyWording(
  `${MAILBOX_WORDS}(?: <a>)? (?:has |have )?(?:been )?moved|has moved (?:to|permanently)|no forwarding address|no longer at this address`,
  `(?:${MAILBOX_WORDS}|e-?mail)(?: address)?(?: <a>)? (?:has|have|was) (?:been )?(?:changed|replaced|migrated|renamed)|(?:my|our|the) new e-?mail address is`,
)

/** The mailbox is closed for good. */
export const closedMailboxPattern = matchAnyWording(
  `${MAILBOX_WORDS}(?:\\(s\\)| \\(?s\\)?)?(?: <a>)?(?: \\S+){0,8}? (?:is |are |has been |have been |was |been )(?:currently |permanently |now )?(?:disabled|closed|deactivated|inactive|suspended|discontinued|terminated|locked|frozen)`,
  `${MAILBOX_WORDS}(?: <a>)?(?: \\S+){0,2}? (?:is|are|has|have|has been|have been|was|been) (?:cancel?led|removed|deleted|expired|retired|archived)`,
  `${MAILBOX_WORDS}(?: <a>)? (?:disabled|closed|deactivated|inactive|suspended|expired|terminated|locked|deleted|retired)\\b`,
  `${MAILBOX_WORDS}(?: <a>)? (?:is |was |has )?(?:not active|no longer active|cancel?led)|not an active (?:${HOLDER_WORDS})|not in service`,
  `(?:disabled|inactive|deactivated|expired|closed|suspended|locked|archived|obsolete) (?:recipient|user|account|mail ?box|e-?mail|address)`,
  'no longer (?:active|valid|available|in use|exists?|employed|works?|accepts|accepting|receiv(?:es|ing)|monitored|used|with (?:us|the|our))|(?:has|have) left (?:the|our) (?:company|organi[sz]ation|firm)',
  'compte(?: \\S+){0,4} (?:d[eé]sactiv[eé]|ferm[eé]|cl[oô]s|cl[oô]tur[eé]|suspendu|supprim[eé])',
  '(?:cuenta|buz[oó]n|casilla)(?: \\S+){0,4} (?:desactivad[oa]|deshabilitad[oa]|suspendid[oa]|cerrad[oa]|inactiv[oa]|cancelad[oa]|eliminad[oa]|expirad[oa]|caducad[oa]|venci(?:d[oa]|[oó])|expir[oó]|caduc[oó])',
  'conta(?: \\S+){0,4} (?:desativada|suspensa|encerrada|inativa|bloqueada|cancelada)',
  '(?:account|casella|utenza)(?: \\S+){0,4} (?:disattivat[oa]|sospes[oa]|chius[oa]|disabilitat[oa]|cessat[oa])',
  '(?:konto|postfach|adresse|benutzer)(?: \\S+){0,4} (?:deaktiviert|geschlossen|gesperrt|gel[oö]scht|inaktiv|gek[uü]ndigt|nicht mehr (?:aktiv|g[uü]ltig|verf[uü]gbar))',
  '(?:account|adres|postvak|mailbox)(?: \\S+){0,4} (?:geblokkeerd|gesloten|opgeheven|uitgeschakeld|niet meer)',
  'konto(?: \\S+){0,4} (?:zablokowane|zawieszone|usuni[eę]te|nieaktywne|zru[sš]en|deaktivov[aá]n)',
  '(?:ящик|учетная запись|аккаунт|адрес)(?: \\S+){0,4} (?:отключ[её]?н|заблокирован|удал[её]н|закрыт|приостановлен)',
  '(?:帐号|账号|邮箱|用户|帳號)[^。]{0,8}(?:停用|关闭|禁用|冻结|凍結|注销|锁定)|アカウント[^。]{0,12}(?:無効|停止|解約)|(?:계정|메일함)[^.]{0,8}(?:정지|중지|휴면)',
)

/** The domain does not exist, or has no mail server. */
export const unknownDomainPattern = matchAnyWording(
  '(?<!(?:your|sender|sending|client|helo|ehlo) )(?:host|domain|computer)(?: ?name)?(?: or domain name)?(?: named)?(?: <h>)? (?:is |was )?(?:not found|unknown|not known|invalid|non-?existent|not resolvable)',
  `(?<!(?:your|sender|sending|client|helo|ehlo) )(?:host|domain|destination server)(?: ?name)?(?: for this recipient)?(?: <h>)? ${CANNOT} be (?:found|resolved)|${CANNOT} (?:find|resolve) (?:the |any |a )*(?:host|domain)`,
  `(?<!your )(?:domain|<h>|host|computer)(?: ?name)?(?: <h>)? ${DOES_NOT} exist|domain must exist|unknown (?:mail |destination |remote )?(?:host|domain)|no dns (?:entry|record)s? for (?:the )?(?:host|domain|<h>)|nxdomain|enotfound|no such (?:domain|host)|no mx (?:found|records?|hosts?|or a records?)|illegal host`,
  'hostname lookup failed: .{0,200}not found|name or service not known|no address associated with|nodename nor servname|no data (?:known|record of requested type)',
  'domain (?:<h> )?(?:has no|without) (?:mx|mail|valid)|no (?:valid )?(?:mail exchanger|mx|a record)s? (?:for|found|or)|indicated no smtp service',
  'find (?:a|any) mail exchanger|mx records? point to (?:non-?existent|unresolvable)',
  'unrouteable (?:address|mail domain|domain)|unroutable|bad destination (?:system|host|domain)|(?:bad|invalid|illegal|non-?existent) (?:recipient )?(?:domain|host ?name)|domain of (?:the )?recipient|recipient domain(?: \\S+){0,2} (?:not found|unknown|invalid)',
  'domaine(?: \\S+){0,2} (?:inconnu|inexistant|introuvable)|dominio(?: \\S+){0,2} (?:desconocido|inexistente|no existe|sconosciuto|no encontrado|non trovato)|dom[ií]nio (?:inexistente|desconhecido|n[aã]o (?:existe|encontrado))|(?:unbekannte )?dom(?:[aä]ne|ain)(?: \\S+){0,2} (?:existiert nicht|nicht gefunden|unbekannt)|unbekannte(?:r host|s ziel| dom[aä]ne?)|onbekend domein|домен(?: \\S+){0,2} не (?:найден|существует)|ドメイン[^。]{0,16}(?:見つかりません|存在しません)|域名不存在|找不到域名',
)

/** Words that stop messages, by language; without accents. */
const defaultStopWords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'ARRET',
  'ARRETER',
  'DESABONNER',
  'DESINSCRIRE',
  'BAJA',
  'ALTO',
  'CANCELAR',
  'PARAR',
  'STOPP',
  'ABMELDEN',
  'ABBESTELLEN',
  'ENDE',
  'CANCELLA',
  'CANCELLAMI',
  'BASTA',
  'DISISCRIVIMI',
  'STOPPEN',
  'AFMELDEN',
  'EINDE',
  'UITSCHRIJVEN',
]
const plainStopWords = new Set(defaultStopWords)

function toPlainText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

/**
 * The STOP word of a reply. `null` if it is not one. It is the first run of letters, whole: `stop36111` stops, `Stopper` and `please stop`
 * do not. `accountWords`: words of the account.
 */
export function findSmsStopWord(text: string, accountWords: readonly string[] = []): string | null {
  const [firstWord = ''] = /\p{L}+/u.exec(toPlainText(text)) ?? []
  return plainStopWords.has(firstWord) ||
    accountWords.some((accountWord) => toPlainText(accountWord.trim()) === firstWord)
    ? firstWord
    : null
}

/** Words that stop messages, by language (events.md 8); without accents. */
const words = [
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  ...['ARRET', 'ARRETER', 'DESABONNER', 'DESINSCRIRE'],
  ...['BAJA', 'ALTO', 'CANCELAR', 'PARAR'],
  ...['STOPP', 'ABMELDEN', 'ABBESTELLEN', 'ENDE'],
  ...['CANCELLA', 'CANCELLAMI', 'BASTA', 'DISISCRIVIMI'],
  ...['STOPPEN', 'AFMELDEN', 'EINDE', 'UITSCHRIJVEN'],
]
const known = new Set(words)

function plainOf(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
}

/**
 * The STOP word of a reply; null when it is none. It is the first run of letters, whole: `stop36111` stops, `Stopper`
 * and `please stop` do not. `more`: words of the account.
 */
export function findSmsStopWord(text: string, more: readonly string[] = []): string | null {
  const [word = ''] = /\p{L}+/u.exec(plainOf(text)) ?? []
  return known.has(word) || more.some((own) => plainOf(own.trim()) === word) ? word : null
}

/** The region of a number by its numbering zone (ITU-T E.164), apart from the table of the program. */
export function zoneRegion(phone: string): 'us' | 'europe' | 'asia' {
  const digits = phone.slice(1)
  // Aruba and Greenland are in zone 2, the British Indian Ocean Territory too.
  if (/^(1|5|297|299)/.test(digits)) return 'us'
  if (/^(246|7[67]|6|8)/.test(digits)) return 'asia'
  // Of zone 9: Turkey, the Middle East, Iran, Azerbaijan and Georgia.
  if (/^9/.test(digits)) return /^9(0|6[1-8]|7[0-4]|8|94|95)/.test(digits) ? 'europe' : 'asia'
  return 'europe'
}

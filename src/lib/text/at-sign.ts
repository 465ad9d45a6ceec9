/**
 * Source of an expression (flags `iu`) for the @ of an address as texts write it: as it is, full width, and escaped in links, also more
 * than once, in HTML and in strings of JSON and scripts. A text is read in one walk. An escaped sign
 * begins at the first backslash of its run, as no local part ends with one.
 */
export const AT_SIGN_PATTERN = String.raw`(?:[@＠]|%(?:25){0,8}40|%(?:25){0,8}u0040|(?<!\\)\\+(?:u0040|u\{0{0,6}40\}|x40)|&(?:amp;){0,8}(?:#0{0,6}64|#x0{0,6}40|commat);)`

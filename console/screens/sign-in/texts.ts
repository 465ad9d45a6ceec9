import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const signInTexts = defineTextCatalogue(en, () => import('./fr.ts'))

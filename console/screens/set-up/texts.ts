import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const setUpTexts = defineTextCatalogue(en, () => import('./fr.ts'))

import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const expressionTexts = defineTextCatalogue(en, () => import('./fr.ts'))

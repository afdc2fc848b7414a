"""The readers of Java, C#, Kotlin, Swift, PHP and Ruby: enumerations, constant lists, sets and maps, text constants.

Their grammars are the extra `driftgate[languages]`: together they take 18 MB, most projects need none of them.
"""

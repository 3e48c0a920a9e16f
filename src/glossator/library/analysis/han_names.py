"""Names in Chinese, where no capital letter tells them.

Four things do: who speaks (the beginning of the clause before 道, 说 and a quotation), what names are made of (titles,
kinds of places, surnames), dots inside transcribed names, and statistics: characters that keep together and are met in
many surroundings, without being a pair of ordinary prose (`common`). Nothing is segmented, and no list knows a name.

Known limit: what is named once or twice and neither speaks nor ends like a name is missed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import log

from glossator.document.scripts import HAN
from glossator.library.analysis.common import is_common_pair
from glossator.library.analysis.grams import Grams, grams
from glossator.library.analysis.names import Kind, Name, Piece

LONGEST = 5  # characters of a name
_LEAST = 3  # times that a name is met that only statistics tell
_COHESION = 40.0  # by how much more often the parts of a name meet than by chance
_VARIETY = 0.9  # entropy, in nats, of what stands before and behind it
_ACTING = 0.25  # of the occurrences of a name that are followed by what persons do
_BEGINS = 0.28  # of its occurrences that begin a clause
_WHOLE = 0.75  # of the occurrences of a form in a longer one, from which it is a piece of it

_RUN = re.compile(f"[{HAN}]+")
_SPEECH = re.compile(f"(?<![{HAN}])([{HAN}]{{2,16}}?)(?:道|曰|云|说|說|问|問|叫|喊)[：:，,]?\\s*[“「『‘]")
_AFTER = re.compile(f"[”」』]([{HAN}]{{2,4}}?)(?:笑|轻声|大声|低声|冷冷)?(?:道|说|說|问|問|喊|叫)")
_LEADS = re.compile(
    "^(?:却说|话说|且说|只见|忽见|忽听得|忽听|但见|早有|又见|当时|正是|原来|此时|这时|那时|于是|便是|旁边|慌得|"
    "唬得|喜得|好|那|这|又|众|一个|两个|三个|有个|有|只|再|把|被|与|对|向)+"
)
_DOTTED = re.compile(f"[{HAN}]{{1,6}}(?:[·•‧・][{HAN}]{{1,6}})+")
_PLACE_END = "山河洞国國城寺府宫宮岭嶺县縣岛島村庄莊州湖江桥橋殿观觀庵岩寨镇鎮崖潭池谷京省市街巷园園院阁閣楼樓"
_PERSON_END = (
    "大王|公主|菩萨|菩薩|真人|老祖|天王|太子|将军|將軍|夫人|先生|和尚|长老|長老|道人|大仙|星君|龙王|龍王|娘娘|"
    "国王|國王|丞相|元帅|元帥|天师|天師|真君|罗汉|羅漢|童子|仙姑|仙子|小姐|太太|老爷|老爺|皇帝|道士|大圣|大聖|"
    "大哥|二哥|三哥|奶奶|姐姐|妹妹|公公|婆婆|老人|老头|姑娘|老师|医生|教授|博士|掌柜|伯爵|精|怪|魔|妖|仙"
)
_IS_PERSON = re.compile(f"(?:{_PERSON_END})$")
_IS_ROLE = re.compile(f"(?:{_PERSON_END}|[王帝龙龍女老儿兒君公婆僧魔妖怪兄弟姐妹父母子夫人徒])$")
_IS_PLACE = re.compile(f"[{_PLACE_END}]$")
_BORDERS = frozenset(
    "的了着著是不在有也都就而之其这這那一个個他她它我你您们們道说說曰云问問来來去上下里裡中内内外见見得把被与與和及"
    "又却卻只更还還便即则則但若如何甚么麼为為以于於所可能会會要将將从從向往到自此已再才乃因虽雖让讓叫听聽看走起出入"
    "回过過等些吗呢吧啊呀哩罢罷两兩二三四五六七八九十百千万萬几幾多少大小各每众眾好很太最真正忽忙急笑怒喝哭同对對当當"
    "时時后後前先今日年月夜早晚几件条條张張只隻做作使给給教令请請想知快谁誰拿打没沒无無非未莫休相随隨"
)
_INFLECTED = frozenset("着著了得的地一是不")
_ACTS = "道说說曰问問笑闻聞听聽叫喝骂罵答想哭怒喜拜惊驚忙急便却卻即领領引心"
_OPENS = _BORDERS - frozenset("如二三四五六七八九十百千万大小金太和何于过白黄道多张向万云")
_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方"
    "俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄穆萧尹姚邵汪祁毛禹狄米贝明臧计伏成"
    "戴谈宋庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪干解"
    "应宗丁宣邓郁单杭洪包诸左石崔吉龚程嵇邢裴陆荣翁荀羊甄封储靳段焦巴牧谷车侯全班仰秋仲伊宫宁仇栾甘祖武符刘景詹龙叶幸"
    "司黎白蒲赖卓蔺屠蒙池乔翟谭贡劳姬申冉桑濮牛寿通边扈燕浦尚农温庄晏柴阎连茹习艾鱼容向古易慎戈廖居衡步都耿满弘匡国文寇"
    "广东沃利越师巩聂晁勾敖冷辛阚那简饶曾关游岳"
)


def names(pieces: Sequence[Piece]) -> list[Name]:
    """Return the names of a text in no particular order."""
    runs = [run for _, text in pieces for run in _RUN.findall(text)]
    counted = _counted(runs)
    counts = counted.counts
    speakers = set(_speakers(pieces))
    found: dict[str, Kind] = dict.fromkeys((w for _, text in pieces for w in _DOTTED.findall(text)), "person")
    for word, acts, begins in _cohesive(counted, speakers):
        subject = begins >= (_BEGINS if word[0] not in _SURNAMES else _BEGINS / 2)
        kind = "person" if subject and word in speakers else kind_of(word, counts[word], acts if subject else 0)
        if kind:
            found.setdefault(word, kind)
    found = {word: kind for word, kind in found.items() if not _is_phrase(word, found, counts)}
    return _merged(_places(pieces, found), found)


def terms(pieces: Sequence[Piece]) -> list[Name]:
    """Return the terms of a Chinese text that is about things rather than persons, those that say most first."""
    runs = [run for _, text in pieces for run in _RUN.findall(text)]
    cohesive = [word for word, _, _ in _cohesive(_counted(runs), ())]
    found: dict[str, Kind] = {
        word: "concept"
        for word in cohesive
        if word[0] not in _OPENS and word[-1] not in _BORDERS and not _INFLECTED & set(word)
    }
    rare = {w: sum(not is_common_pair(w[i : i + 2]) for i in range(len(w) - 1)) for w in found}
    places = _places(pieces, found)
    ranked = sorted(places, key=lambda w: (-len(places[w]) * (0.3 + rare[w]) * log(len(w)), w))
    return [Name(word, "concept", tuple(places[word]), (word,)) for word in ranked if len(places[word]) >= _LEAST]


def kind_of(word: str, count: int, acts: float = 0.0) -> Kind | None:
    """Return what a recurring run of characters names, or None when it names nothing.

    `acts` is the share of its occurrences that are followed by what persons do.
    """
    if word[0] in _OPENS or word[-1] in _BORDERS:
        return None
    if _IS_PERSON.search(word):
        return "person"
    if _IS_PLACE.search(word):
        return "place"
    pairs = [is_common_pair(word[i : i + 2]) for i in range(len(word) - 1)]
    if acts >= _ACTING and not all(pairs):
        return "person"
    return "name" if len(word) == 3 and count > _LEAST and not any(pairs) else None


def could_name(word: str) -> bool:
    """Return whether a run of characters is made like a name, however rarely it is met; generous."""
    if word[0] in _OPENS or word[-1] in _BORDERS or _INFLECTED & set(word):
        return False
    pairs = [is_common_pair(word[i : i + 2]) for i in range(len(word) - 1)]
    return not all(pairs) if _IS_PERSON.search(word) or _IS_PLACE.search(word) else not any(pairs)


def _is_phrase(word: str, found: Mapping[str, Kind], counts: Mapping[str, int]) -> bool:
    """Tell whether a word is a name with a verb before or behind it."""
    count = counts.get(word, 0)
    if len(word) > 2 and any(word[:n] in found and counts[word[:n]] >= 3 * count for n in range(2, len(word))):
        return not _IS_PERSON.search(word)
    inner = word[1:]
    if found[word] == "name" and (_INFLECTED & set(word) or (counts[inner] >= 3 * count and word[0] not in _SURNAMES)):
        return True
    named = word[0] in _SURNAMES and not _IS_ROLE.search(inner)
    return inner in found and counts[inner] >= 3 * count and not named


def _merged(places: Mapping[str, Sequence[tuple[int, int]]], found: Mapping[str, Kind]) -> list[Name]:
    """Return the names, a short form joined to the one fuller name that ends like it."""
    forms: defaultdict[str, list[str]] = defaultdict(list)
    surnamed = [w for w in places if w[0] in _SURNAMES]
    for word in places:
        longer = {w: len(places[w]) for w in surnamed if w != word and w.endswith(word)}
        best = max(longer, key=lambda w: longer[w], default=word)
        joins = found[word] == "person" and longer and not _IS_ROLE.search(word) and len(longer) < 4
        clear = joins and longer[best] >= 0.6 * sum(longer.values()) and len(best) == len(word) + 1
        forms[best if clear else word].append(word)
    merged = []
    for word, parts in forms.items():
        spans = sorted(span for part in {word, *parts} for span in places[part])
        spelled = sorted({word, *parts}, key=lambda w: -len(places[w]))
        kind: Kind = "person" if any(found[part] == "person" for part in spelled) else found[word]
        merged.append(Name(word, kind, tuple(spans), tuple(spelled)))
    joined = {part for word, parts in forms.items() for part in parts if part != word}
    return [n for n in merged if n.name not in joined]


# --- who speaks


def _speakers(pieces: Sequence[Piece]) -> list[str]:
    """Return who speaks: the beginnings that clauses before a quotation have in common."""
    clauses = Counter(_LEADS.sub("", clause) for _, text in pieces for clause in _SPEECH.findall(text))
    clauses.update(clause for _, text in pieces for clause in _AFTER.findall(text))
    begun: Counter[str] = Counter()
    followed: defaultdict[str, set[str]] = defaultdict(set)
    for clause, times in clauses.items():
        for n in range(2, min(LONGEST, len(clause)) + 1):
            begun[clause[:n]] += times
            followed[clause[:n]].add(clause[n : n + 1])
    return [word for word, times in begun.items() if times > 1 and _is_speaker(word, times, begun, followed)]


def _is_speaker(word: str, times: int, begun: Mapping[str, int], followed: Mapping[str, set[str]]) -> bool:
    if word[0] in _OPENS or (word[-1] in _BORDERS and word[-1] != "来") or len(followed[word]) < 2:
        return False
    longer = max((begun[word + c] for c in followed[word] if c and word + c in begun), default=0)
    shorter = begun.get(word[:-1], 0)
    return longer <= _WHOLE * times and (len(word) == 2 or times >= 0.3 * shorter)


# --- what keeps together


def _counted(runs: Sequence[str]) -> Grams:
    """Return the n-grams of a text that are met often enough for its length."""
    return grams(runs, LONGEST, max(_LEAST, sum(map(len, runs)) // 150_000))


def _cohesive(counted: Grams, speakers: Collection[str]) -> list[tuple[str, float, float]]:
    """Return the n-grams that keep together, and speakers: each with the shares of it that act, and that begin."""
    counts, total = counted.counts, counted.total
    kept = {g for g, c in counts.items() if len(g) > 1 and c >= _LEAST and _cohesion(g, counts, total) >= _COHESION}
    before, behind = counted.neighbours(kept.union(speakers))
    met = {g: sum(behind[g].values()) for g in behind}
    free = (g for g in met if g in speakers or (_free(before[g], met[g]) and _free(behind[g], met[g])))
    return [
        (g, sum(behind[g][c] for c in _ACTS) / met[g], (before[g][""] + sum(before[g][c] for c in "那这")) / met[g])
        for g in free
    ]


def _cohesion(gram: str, counts: Mapping[str, int], total: int) -> float:
    """Return by how much more often the weakest joint of an n-gram holds than by chance."""
    parts = ((gram[:i], gram[i:]) for i in range(1, len(gram)))
    return min(counts[gram] * total / max(1, counts.get(a, 1) * counts.get(b, 1)) for a, b in parts)


def _free(neighbours: Counter[str], count: int) -> bool:
    """Tell whether what stands beside an n-gram varies, the edge of a run counting as ever new."""
    edges = neighbours.get("", 0)
    inner = [n for c, n in neighbours.items() if c]
    if edges * 2 >= count:
        return True
    entropy = -sum(n / count * log(n / count) for n in inner) + edges / count * log(max(2, edges))
    return entropy >= _VARIETY and max(inner, default=0) <= _WHOLE * count


def _places(pieces: Sequence[Piece], found: Mapping[str, Kind]) -> dict[str, list[tuple[int, int]]]:
    """Return where each name stands, the longest name first wherever several begin."""
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    if found:
        pattern = re.compile("|".join(map(re.escape, sorted(found, key=lambda w: (-len(w), w)))))
        for offset, text in pieces:
            for match in pattern.finditer(text):
                places[match[0]].append((offset + match.start(), offset + match.end()))
    return places

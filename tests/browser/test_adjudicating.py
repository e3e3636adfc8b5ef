"""An adjudicator at work: keys, clicks, undoing, notes, what would break a tree."""

from playwright.sync_api import expect

from tests.support.browser.desks import decisions, history, option, press, saved, undecided
from tests.support.web.serving import DEPENDENCY

STUDY = DEPENDENCY


def test_nothing_is_chosen_beforehand(visits):
    page = visits.page()
    page.goto("/adjudicate/3")
    assert decisions(page) == {}
    assert undecided(page) == ["9 head", "9 label"]
    expect(page.locator("button[aria-pressed=true]")).to_have_count(0)


def test_keys_pressed_fast_are_all_taken_in_order(visits):
    page = visits.page()
    page.goto("/adjudicate/15")
    press(page, "1", "2", "1", "u", "u", "1", "2")
    saved(page, 11)
    wanted = {
        "6 head": "5 let", "6 label": "obj", "7 label": "xcomp", "12 head": "10 ten", "12 label": "nmod",
    }  # fmt: skip
    assert decisions(page) == wanted
    assert history(page)[:6] == [
        "Olga decided label of weekends: nmod",
        "Olga decided head of weekends: 10 ten",
        "Olga decided label of stay: xcomp",
        "Olga undid entry 3",
        "Olga undid entry 4",
        "Olga undid entry 5",
    ]


def test_keys_after_the_one_for_the_next_sentence_go_to_the_next_sentence(visits):
    page = visits.page()
    page.goto("/adjudicate/7")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/adjudicate/8", hold)
    press(page, "n", "1")
    for _ in range(500):  # until the request for the next sentence is under way
        if held:
            break
        page.wait_for_timeout(20)
    held[0].continue_()
    page.wait_for_url("**/adjudicate/8")
    saved(page, 2)
    assert decisions(page) == {"7 head": "5 warning", "7 label": "nmod"}
    page.goto("/adjudicate/7")
    assert decisions(page) == {}


def test_j_and_k_go_from_place_to_place(visits):
    page = visits.page()
    page.goto("/adjudicate/5")
    current = page.locator(".row[aria-current]")
    expect(current).to_have_attribute("data-key", "5 label")
    press(page, "j", "j")
    expect(current).to_have_attribute("data-key", "7 head")
    press(page, "k")
    expect(current).to_have_attribute("data-key", "5 upos")
    press(page, *"jjjjjjjjj")
    expect(current).to_have_attribute("data-key", "9 head\n9 label")
    expect(current).to_be_focused()
    press(page, "x")
    expect(current).to_have_attribute("data-key", "9 head")
    press(page, "j")
    expect(current).to_have_attribute("data-key", "9 label")
    press(page, "x", "k")
    expect(current).to_have_attribute("data-key", "8 head\n8 label")


def test_two_clicks_on_one_button_make_one_entry(visits):
    page = visits.page()
    page.goto("/adjudicate/6")
    option(page, "5 head", "3 hail").dblclick()
    saved(page, 1)
    page.reload()
    saved(page, 1)
    assert len(history(page)) == 1


def test_nothing_is_lost_when_the_page_is_loaded_again(visits):
    page = visits.page()
    page.goto("/adjudicate/11")
    press(page, "1")
    saved(page, 1)
    page.reload()
    saved(page, 1)
    assert decisions(page) == {"10 head": "5 bread"}
    assert undecided(page) == ["13 label"]


def test_the_next_undecided_place_has_the_focus_after_a_choice(visits):
    page = visits.page()
    page.goto("/adjudicate/14")
    option(page, "1 label", "expl").click()
    saved(page, 1)
    row = page.locator('.row[data-key="5 label"]')
    expect(row).to_be_focused()
    expect(row).to_have_attribute("aria-current", "true")


def test_undone_steps_stay_in_the_history(visits):
    page = visits.page()
    page.goto("/adjudicate/4")
    press(page, "1", "u")
    saved(page, 4)
    assert decisions(page) == {}
    assert history(page) == [
        "Olga undid entry 1",
        "Olga undid entry 2",
        "Olga decided label of spell: obj",
        "Olga decided head of spell: 5 want",
    ]
    expect(page.locator("#undo")).to_be_disabled()


def test_the_link_to_the_history_opens_it(visits):
    page = visits.page()
    page.goto("/adjudicate/4")
    press(page, "1")
    saved(page, 2)
    page.locator(".tools a[href='#history']").click()
    expect(page.locator("#history ol")).to_be_visible()


def test_the_focus_is_never_lost_on_a_sentence_that_all_agree_on(visits):
    page = visits.page()
    page.goto("/sentences?state=agreed")
    page.locator(".listing a.open").first.click()
    page.locator("#adjudicate").click()
    page.get_by_text("Exclude this sentence").click()
    page.get_by_role("button", name="Exclude", exact=True).click()
    saved(page, 1)
    expect(page.locator("#onward")).to_be_focused()
    press(page, "u")
    saved(page, 2)
    expect(page.locator("#main")).to_be_focused()


def test_a_note_is_kept_and_told(visits):
    page = visits.page()
    page.goto("/adjudicate/12")
    press(page, "o")
    page.keyboard.type("the square is where the cafes are")
    page.keyboard.press("Enter")
    saved(page, 1)
    page.reload()
    note = page.get_by_label("note on the head and label of square")
    expect(note).to_be_visible()
    expect(note).to_have_value("the square is where the cafes are")
    assert history(page) == ["Olga noted on head of square: the square is where the cafes are"]


def test_a_rejected_sentence_can_be_taken_in_again(visits):
    page = visits.page()
    page.goto("/adjudicate/13")
    page.get_by_text("Exclude this sentence").click()
    page.get_by_label("Reason").fill("no sentence at all")
    page.get_by_role("button", name="Exclude", exact=True).click()
    saved(page, 1)
    expect(page.locator(".state")).to_have_text("excluded")
    expect(page.locator("#onward")).to_be_focused()
    expect(page.get_by_text("no sentence at all").first).to_be_visible()
    page.get_by_role("button", name="Include again").click()
    saved(page, 2)
    expect(page.locator(".state")).to_have_text("contested")
    assert history(page) == [
        "Olga took the sentence in again",
        "Olga rejected the sentence: no sentence at all",
    ]


def test_an_own_value_is_refused_with_the_reason_when_it_cannot_be(visits):
    page = visits.page()
    page.goto("/adjudicate/2")
    field = page.get_by_label("other value for the head of ,")
    field.fill("99")
    field.press("Enter")
    alert = page.locator("#desk .warnings")
    expect(alert).to_contain_text("99")
    saved(page, 0)


def test_a_choice_that_breaks_the_tree_says_so_and_offers_what_must_change_with_it(visits):
    page = visits.page()
    page.goto("/adjudicate/5")
    option(page, "8 head", "9 Creek").click()
    saved(page, 1)
    expect(option(page, "9 head", "8 Hill")).to_contain_text("not valid")
    option(page, "9 head", "8 Hill").click()
    alert = page.locator("#desk .warnings")
    expect(alert.locator("h2")).to_contain_text("Hill")
    offer = alert.locator("button.offer").first
    expect(offer).to_be_focused()
    saved(page, 1)
    assert decisions(page) == {"8 head": "9 Creek"}
    page.keyboard.press("Enter")
    saved(page, 2)
    expect(alert).to_have_count(0)
    found = decisions(page)
    assert found["9 head"] == "8 Hill"
    assert found["8 head"] != "9 Creek"
    assert len(history(page)) == 2


def test_an_arc_is_chosen_with_one_key_and_can_be_split(visits):
    page = visits.page("Ines")
    page.goto("/adjudicate/13")
    arc = page.locator(".row.joined").first
    expect(arc).to_have_attribute("data-key", "1 head\n1 label")
    press(page, "x", "1")  # the head alone
    saved(page, 1)
    assert list(decisions(page)) == ["1 head"]
    expect(page.locator(".row[aria-current]")).to_have_attribute("data-key", "1 label")
    press(page, "u", "x")
    saved(page, 2)
    press(page, "2")
    saved(page, 4)
    assert list(decisions(page)) == ["1 head", "1 label"]
    expect(arc.locator(":scope > .options .chosen")).to_have_count(1)
    expect(page.locator(".row[aria-current]")).to_have_attribute("data-key", "2 head\n2 label")


def test_another_arc_is_typed_as_head_and_label(visits):
    page = visits.page()
    page.goto("/adjudicate/15")
    page.get_by_label("other head of weekends").fill("5")
    page.get_by_label("other label of weekends").fill("advmod")
    page.get_by_label("other label of weekends").press("Enter")
    expect(page.locator(".other.chosen").get_by_label("other label of weekends")).to_have_value("advmod")
    found = decisions(page)
    assert (found["12 head"], found["12 label"]) == ("5 let", "advmod")
    press(page, "u")
    expect(page.get_by_label("other label of weekends")).to_have_value("")


def test_a_click_in_the_picture_chooses_the_arc(visits):
    page = visits.page()
    page.goto("/adjudicate/8")
    page.locator('.pictures [data-wish="7 head\\9 3 issued\\a 7 label\\9 obl"] .edge').first.click()
    chosen = page.locator('.row.joined[data-key^="7 "] > .options button.chosen')
    expect(chosen).to_have_attribute("value", "7 head\t3 issued\n7 label\tobl")
    assert decisions(page) == {"7 head": "3 issued", "7 label": "obl"}


def test_after_the_last_decision_the_next_undecided_sentence_follows(visits):
    page = visits.page()
    page.goto("/adjudicate/3")
    press(page, "1", "2")  # the second key is for the next sentence
    expect(page.locator("#desk")).to_have_attribute("data-number", "4")
    saved(page, 2)
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/4")
    expect(page).to_have_title("Adjudicate 4 of 16")
    assert decisions(page) == {"8 head": "10 end", "8 label": "nsubj"}
    page.go_back()
    expect(page.locator("#desk")).to_have_attribute("data-number", "3")
    assert decisions(page) == {"9 head": "3 watched", "9 label": "obl"}


def test_undoing_leads_back_to_the_sentence_before(visits):
    page = visits.page()
    page.goto("/adjudicate/6")
    press(page, "1")
    expect(page.locator("#desk")).to_have_attribute("data-number", "7")
    expect(page.locator(".before")).to_contain_text("Decided sentence 6.")
    expect(page.locator("#said")).to_contain_text("Decided sentence 6.")
    press(page, "u")
    expect(page).to_have_url(f"{visits.server.address}/adjudicate/6")
    assert decisions(page) == {}
    assert undecided(page) == ["5 head", "5 label"]


def test_whoever_does_not_want_to_go_on_stays(visits):
    page = visits.page("Stella")
    page.goto("/adjudicate/12")
    page.locator("#settings summary").click()
    page.get_by_label("Go to the next undecided sentence").uncheck()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#settings:not([open])")).to_be_attached()
    press(page, "1")
    expect(page.locator("#onward")).to_be_focused()
    expect(page.locator("#desk")).to_have_attribute("data-number", "12")
